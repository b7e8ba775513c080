#include "daemon/settings/options.hpp"

#include "daemon/settings/in_words.hpp"
#include "daemon/settings/limits.hpp"
#include "daemon/settings/option_table.hpp"
#include "protocol/text/utf8.hpp"
#include "protocol/text/whole_number.hpp"

#include <algorithm>

namespace tofud::settings {
namespace {

using time_span = std::chrono::milliseconds;

bool is_among(const std::string& text, const std::vector<std::string_view>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// A URL is not repeated with the password that stands in it.
std::string without_password(const std::string& text) {
  const auto begin = text.find("://"), at = text.rfind('@');
  if (begin == std::string::npos || at == std::string::npos || at < begin) return text;
  return text.substr(0, begin + 3) + "…" + text.substr(at);
}

/// Paths are not repeated: what stands there by mistake may be the secret itself.
std::string refusal_of_path(const option& of, const std::string& path, relative_paths paths) {
  if (is_among(path, of.words)) return "";
  if (path.empty()) return "is empty; write a path, or " + listed(of.words);
  if (paths == relative_paths::refused && path.front() != '/')
    return "is not an absolute path; in a file it must begin with /";
  return "";
}

std::string refusal_of_text(const option& of, const std::string& text, relative_paths paths) {
  if (!text::valid_utf8(text)) return "is not UTF-8";
  if (has_control_character(text)) return "contains a control character";
  if (of.type == option_type::path) return refusal_of_path(of, text, paths);
  if (!of.words.empty() && !is_among(text, of.words))
    return "is " + toml_string(text) + "; use " + listed(of.words);
  if (of.check == nullptr) return "";
  const std::string why = of.check(text);
  return why.empty() ? "" : "has " + toml_string(without_password(text)) + ", which " + why;
}

std::string refusal_of_number(const option& of, std::uint64_t number) {
  if (number < of.least)
    return "is " + number_in_words(of, number) + "; it is at least " +
           number_in_words(of, of.least);
  if (number > of.most)
    return "is " + number_in_words(of, number) + "; it is at most " + number_in_words(of, of.most);
  return "";
}

std::string refusal_of_list(const option& of, const std::vector<std::string>& list,
                            relative_paths paths) {
  const std::uint64_t most = std::min<std::uint64_t>(of.most, limits::config_list_values);
  if (list.size() > most) {
    return "has " + std::to_string(list.size()) + " values; it may have " + std::to_string(most);
  }
  for (const std::string& each : list) {
    if (auto why = refusal_of_text(of, each, paths); !why.empty()) return why;
  }
  return "";
}

template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;

}  // namespace

const std::vector<option>& options() {
  static const std::vector<option> all = option_table();
  return all;
}

const option* find_option(std::string_view key) {
  for (const option& each : options()) {
    if (each.key == key) return &each;
  }
  return nullptr;
}

std::string_view section_of(const option& of) {
  const std::size_t dot = of.key.find('.');
  return dot == of.key.npos ? std::string_view{} : of.key.substr(0, dot);
}

std::string_view name_of(const option& of) {
  const std::size_t dot = of.key.find('.');
  return dot == of.key.npos ? of.key : of.key.substr(dot + 1);
}

std::string variable_of(const option& of) {
  std::string name{"TOFUD_"};
  for (const char c : of.flag.substr(2)) {
    if (c == '-') {
      name += '_';
    } else {
      name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
  }
  return name;
}

value value_in(const settings& from, const option& of) {
  // The homes take what may be changed; here nothing is.
  auto& in = const_cast<settings&>(from);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return std::visit([&in](auto home) -> value { return home(in); }, of.home);
}

void set_value(settings& in, const option& of, const value& to) {
  std::visit(
      [&](auto home) {
        auto& member = home(in);
        member = std::get<std::remove_reference_t<decltype(member)>>(to);
      },
      of.home);
}

value default_of(const option& of) { return value_in(settings{}, of); }

std::string toml_text(const option& of, const value& from) {
  return std::visit(overloaded{[](bool yes) { return std::string{yes ? "true" : "false"}; },
                               [&of](std::uint64_t number) {
                                 if (of.type == option_type::size)
                                   return toml_string(size_text(number));
                                 return std::to_string(number);
                               },
                               [](time_span time) { return toml_string(duration_text(time)); },
                               [](const std::string& text) { return toml_string(text); },
                               [](const std::vector<std::string>& list) {
                                 std::string all = "[";
                                 for (const std::string& each : list) {
                                   if (all.size() > 1) all += ", ";
                                   all += toml_string(each);
                                 }
                                 return all + "]";
                               }},
                    from);
}

std::string refusal_of(const option& of, const value& wanted, relative_paths paths) {
  return std::visit(
      overloaded{
          [](bool) { return std::string{}; },
          [&of](std::uint64_t number) { return refusal_of_number(of, number); },
          [&of](time_span time) {
            return refusal_of_number(of, static_cast<std::uint64_t>(time.count()));
          },
          [&](const std::string& text) { return refusal_of_text(of, text, paths); },
          [&](const std::vector<std::string>& list) { return refusal_of_list(of, list, paths); }},
      wanted);
}

namespace {

boost::system::result<value, wrong_value> parse_scalar(const option& of, const std::string& text) {
  switch (of.type) {
    case option_type::boolean:
      if (text == "true" || text == "yes" || text == "1" || text == "on") return value{true};
      if (text == "false" || text == "no" || text == "0" || text == "off") return value{false};
      return wrong_value{"is " + toml_string(text) + "; it may be true or false"};
    case option_type::count: {
      const auto number = text::parse_whole_number<std::uint64_t>(text);
      if (!number) return wrong_value{"is " + toml_string(text) + ", which is not a whole number"};
      return value{*number};
    }
    case option_type::size: {
      const auto bytes = parse_size(text);
      if (!bytes) return wrong_value{"is " + toml_string(text) + ", which " + bytes.error().why};
      return value{*bytes};
    }
    case option_type::duration: {
      const auto time = parse_duration(text);
      if (!time) return wrong_value{"is " + toml_string(text) + ", which " + time.error().why};
      return value{*time};
    }
    case option_type::text:
    case option_type::path:
    case option_type::list:
      break;
  }
  return value{text};
}

}  // namespace

boost::system::result<value, wrong_value> parse_value(const option& of,
                                                      const std::vector<std::string>& given,
                                                      relative_paths paths) {
  value made;
  if (of.type == option_type::list) {
    made = given;
  } else {
    if (given.size() != 1) return wrong_value{"is given more than once"};
    auto parsed = parse_scalar(of, given.front());
    if (!parsed) return parsed.error();
    made = std::move(*parsed);
  }
  if (auto why = refusal_of(of, made, paths); !why.empty()) return wrong_value{std::move(why)};
  return made;
}

}  // namespace tofud::settings
