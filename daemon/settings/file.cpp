#include "daemon/settings/file.hpp"

#include "daemon/settings/in_words.hpp"
#include "daemon/settings/limits.hpp"
#include "daemon/settings/near_name.hpp"
#include "daemon/settings/table_shapes.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

namespace {
/// Thrown where toml++ 3.3 asserts: `[=` and `[[}` are enough, and a wrong file must not abort.
struct parser_fault {};
[[noreturn]] void tell_fault() { throw parser_fault{}; }
}  // namespace

// Without assertions it would take for granted what it asserts.
#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? static_cast<void>(0) : tell_fault())
#define TOML_EXCEPTIONS 0
// Lists of words are all the nesting there is.
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>

namespace tofud::settings {
namespace {

/// A key as it would stand in a file: bare where that is possible.
std::string shown_key(std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
  return bare ? std::string{key} : toml_string(key);
}

bool is_section(std::string_view name) {
  return std::any_of(options().begin(), options().end(),
                     [name](const option& each) { return section_of(each) == name; });
}

std::vector<std::string_view> known_names() {
  std::set<std::string_view> sections;
  std::vector<std::string_view> names;
  for (const table_shape& each : table_shapes()) names.push_back(each.key);
  for (const option& each : options()) {
    names.push_back(each.key);
    if (!section_of(each).empty() && sections.insert(section_of(each)).second)
      names.push_back(section_of(each));
  }
  return names;
}

std::string found_in_words(toml::node_type type) {
  switch (type) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number with a point";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

/// A failure before its file's name is put to it.
struct placed_failure {
  toml::source_position at;
  std::string what;
};

/// Turns a file's tree into assignments.
class tree_reader {
 public:
  tree_reader(std::string path, file_content& into, std::vector<placed_failure>& failures)
      : path_{std::move(path)}, into_{into}, failures_{failures} {}

  void read(const toml::table& table, const std::string& section) {
    for (const auto& [key, node] : table) read_entry(key, node, section);
  }

 private:
  void read_entry(const toml::key& key, const toml::node& node, const std::string& section) {
    // A dot within a quoted key is no section.
    const bool dotted = key.str().find('.') != std::string_view::npos;
    const std::string name =
        section.empty() ? std::string{key.str()} : section + "." + std::string{key.str()};
    const option* of = dotted ? nullptr : find_option(name);
    const table_shape* shape =
        dotted || !section.empty() ? nullptr : find_shape(table_shapes(), name);
    if (of != nullptr) {
      read_option(*of, key, node);
    } else if (shape != nullptr) {
      read_tables(*shape, node, into_.tables);
    } else if (section.empty() && is_section(name)) {
      if (const toml::table* inner = node.as_table()) return read(*inner, name);
      fail(node.source().begin,
           shown_key(name) + " is a section; write its options below [" + name + "]");
    } else {
      fail(key.source().begin, unknown(section, key.str(), name));
    }
  }

  std::string unknown(const std::string& section, std::string_view key, const std::string& name) {
    static const std::vector<std::string_view> names = known_names();
    std::string what = "unknown option " + (section.empty() ? "" : section + ".") + shown_key(key);
    if (const std::string meant = near_name(name, names); !meant.empty())
      what += "; did you mean " + meant + "?";
    return what;
  }

  void read_option(const option& of, const toml::key& key, const toml::node& node) {
    auto found = value_in(of, node);
    if (found) into_.assigned.push_back({&of, std::move(*found), place_of(key.source().begin)});
  }

  /// Nothing: it is told what is wrong.
  std::optional<value> value_in(const option& of, const toml::node& node) {
    auto found = of.type == option_type::list ? list_in(of, node) : scalar_in(of, node);
    if (!found) return std::nullopt;
    if (const std::string why = refusal_of(of, *found, paths); !why.empty()) {
      fail(node.source().begin, std::string{of.key} + " " + why);
      return std::nullopt;
    }
    return found;
  }

  void read_tables(const table_shape& of, const toml::node& node, std::vector<table>& into) {
    const toml::array* all = node.as_array();
    if (all == nullptr || all->empty() || !all->is_homogeneous(toml::node_type::table)) {
      return fail(node.source().begin, std::string{of.key} +
                                           " is a list of tables; write its options below [[" +
                                           std::string{of.key} + "]]");
    }
    for (const toml::node& each : *all) {
      if (into.size() == limits::config_tables) {
        return fail(each.source().begin, "there are more than " +
                                             std::to_string(limits::config_tables) + " [[" +
                                             std::string{of.key} + "]]; join some of them");
      }
      read_table(of, *each.as_table(), into);
    }
  }

  void read_table(const table_shape& of, const toml::table& from, std::vector<table>& into) {
    table made{&of, {}, {}, place_of(from.source().begin)};
    const std::size_t failures_before = failures_.size();
    for (const auto& [key, node] : from) {
      const std::string_view name = key.str();
      const auto field = std::find_if(of.fields.begin(), of.fields.end(), [&](const auto& each) {
        return field_name(each.of) == name;
      });
      if (field != of.fields.end()) {
        if (auto found = value_in(field->of, node))
          made.values.emplace_back(&field->of, std::move(*found));
      } else if (const table_shape* inner = find_shape(of.within, key.str())) {
        read_tables(*inner, node, made.within);
      } else {
        fail(key.source().begin, unknown_field(of, key.str()));
      }
    }
    for (const table_field& each : of.fields) {
      const std::string name{field_name(each.of)};
      if (each.is_required && !from.contains(name))
        fail(from.source().begin, "[[" + std::string{of.key} + "]] has no " + name);
    }
    if (failures_.size() == failures_before) into.push_back(std::move(made));
  }

  static std::string unknown_field(const table_shape& of, std::string_view key) {
    std::vector<std::string_view> names;
    for (const table_field& each : of.fields) names.push_back(each.of.key);
    for (const table_shape& each : of.within) names.push_back(each.key);
    const std::string whole = std::string{of.key} + "." + std::string{key};
    std::string what = "unknown option " + std::string{of.key} + "." + shown_key(key);
    if (const std::string meant = near_name(whole, names); !meant.empty())
      what += "; did you mean " + meant + "?";
    return what;
  }

  file_place place_of(toml::source_position at) const { return {path_, at.line, at.column}; }

  /// Each of its values is judged where it stands. Nothing: it is told what is wrong.
  std::optional<value> list_in(const option& of, const toml::node& node) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return wrong_type(of, node);
    std::vector<std::string> list;
    for (const toml::node& each : *array) {
      const auto* text = each.as_string();
      if (text == nullptr) {
        fail(each.source().begin, std::string{of.key} +
                                      " must contain only text in quotes, but this is " +
                                      found_in_words(each.type()));
        return std::nullopt;
      }
      const std::string why = refusal_of(of, value{std::vector{text->get()}}, paths);
      if (!why.empty()) {
        fail(each.source().begin, std::string{of.key} + " " + why);
        return std::nullopt;
      }
      list.push_back(text->get());
    }
    return list;
  }

  std::optional<value> scalar_in(const option& of, const toml::node& node) {
    const bool numeric = of.type == option_type::count || of.type == option_type::size;
    if (const auto* number = node.as_integer(); number != nullptr && numeric) {
      if (number->get() >= 0) return value{static_cast<std::uint64_t>(number->get())};
      fail(node.source().begin, std::string{of.key} + " is negative");
      return std::nullopt;
    }
    if (const auto* yes = node.as_boolean(); yes != nullptr && of.type == option_type::boolean)
      return value{yes->get()};
    const auto* text = node.as_string();
    if (text == nullptr) return wrong_type(of, node);
    if (of.type == option_type::text || of.type == option_type::path) return value{text->get()};
    if (of.type == option_type::size || of.type == option_type::duration)
      return with_unit(of, node, text->get());
    return wrong_type(of, node);
  }

  std::optional<value> with_unit(const option& of, const toml::node& node,
                                 const std::string& text) {
    if (of.type == option_type::size) {
      if (const auto bytes = parse_size(text)) return value{*bytes};
    } else if (const auto time = parse_duration(text)) {
      return value{*time};
    }
    return wrong_type(of, node, toml_string(text));
  }

  std::optional<value> wrong_type(const option& of, const toml::node& node,
                                  std::string shown = "") {
    if (shown.empty()) shown = found_in_words(node.type());
    fail(node.source().begin,
         std::string{of.key} + " must be " + type_in_words(of) + ", but this is " + shown);
    return std::nullopt;
  }

  void fail(toml::source_position at, std::string what) {
    failures_.push_back({at, std::move(what)});
  }

  static constexpr auto paths = relative_paths::refused;

  std::string path_;
  file_content& into_;
  std::vector<placed_failure>& failures_;
};

/// The first `lines` lines of a text.
std::string_view beginning(std::string_view text, std::size_t lines) {
  std::size_t end = 0;
  for (; lines > 0 && end < text.size(); --lines)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

bool is_faulty(std::string_view text) {
  try {
    return (static_cast<void>(toml::parse(text)), false);
  } catch (const parser_fault&) {
    return true;
  }
}

/// The parser gives no place where it meets a fault of its own: it is in the last line of the
/// shortest beginning that has the fault.
std::uint32_t fault_line(std::string_view text) {
  std::size_t least = 1;
  auto most = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  while (least < most) {
    const std::size_t middle = least + (most - least) / 2;
    if (is_faulty(beginning(text, middle))) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return static_cast<std::uint32_t>(least);
}

/// Finds what only text and comments may have: toml++ 3.3 has undefined behaviour where it meets
/// most letters beyond ASCII elsewhere. And text of several lines, where it has the same; no option
/// has use for it.
class stray_finder {
 public:
  explicit stray_finder(std::string_view text) : text_{text} {}

  std::optional<placed_failure> find() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    for (; at_ < text_.size(); ++at_) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (within_ == normal && starts_long_text()) return found("text of several lines");
      if (within_ == normal && is_stray(byte))
        return found("a character that is allowed only inside quotes");
      // What toml++ takes for a word goes on there, so it is no text.
      if (within_ == normal && is_quote(text_[at_]) && !may_begin_text())
        return found("a quotation mark in the middle of a word");
      step(text_[at_]);
      if ((byte & 0xc0U) != 0x80) ++column_;
      if (byte == '\n') next_line();
    }
    return std::nullopt;
  }

 private:
  static constexpr char normal = ' ', comment = '#', escaped = '\\';

  static bool is_stray(unsigned char byte) {
    return byte >= 0x7f || (byte < 0x20 && byte != '\t' && byte != '\r' && byte != '\n');
  }
  static bool is_quote(char c) { return c == '"' || c == '\''; }
  bool may_begin_text() const {
    return at_ == 0 ||
           std::string_view{" \t\r\n=[,.{"}.find(text_[at_ - 1]) != std::string_view::npos ||
           (at_ == 3 && text_.starts_with("\xef\xbb\xbf"));
  }
  bool starts_long_text() const {
    const std::string_view three = text_.substr(at_, 3);
    return three == "\"\"\"" || three == "\'\'\'";
  }
  void step(char c) {
    if (within_ == normal) {
      if (c == '"' || c == '\'' || c == comment) within_ = c;
    } else if (within_ == escaped) {
      within_ = '"';
    } else if (within_ == '"' && c == '\\') {
      within_ = escaped;
    } else if (within_ == c && c != comment) {
      within_ = normal;
    }
  }
  void next_line() {
    within_ = normal;
    ++line_;
    column_ = 1;
  }
  placed_failure found(const char* what) const {
    return {{line_, column_}, "not supported TOML: " + std::string{what}};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1, column_ = 1;
  char within_ = normal;  // or what began it
};

/// Fills `tree`, or tells where the text is no TOML first.
std::optional<placed_failure> parse_once(std::string_view text, toml::table& tree) {
  if (auto stray = stray_finder{text}.find()) return stray;
  try {
    auto parsed = toml::parse(text);
    if (!parsed)
      return placed_failure{parsed.error().source().begin,
                            "invalid TOML: " + std::string{parsed.error().description()}};
    tree = std::move(parsed).table();
    return std::nullopt;
  } catch (const parser_fault&) {
    return placed_failure{{fault_line(text), 1},
                          "invalid TOML: a bracket or a value is out of place"};
  }
}

/// A file's text as far as it is TOML. toml++ stops at the first line that is none.
class healed_text {
 public:
  explicit healed_text(std::string_view text) : text_{text} {}

  /// The tree of what could be read; lines that are no TOML are in `failures`.
  toml::table parse(std::vector<placed_failure>& failures) {
    toml::table tree;
    for (int tries = 0; tries < limits::config_broken_lines; ++tries) {
      auto mistake = parse_once(text_, tree);
      if (!mistake) return tree;
      const std::size_t line = mistake->at.line;
      if (!is_cut_) failures.push_back(std::move(*mistake));
      take_out(line);
    }
    return {};
  }

 private:
  /// A line with an assignment alone is left out. What any other line means for those after it
  /// nobody knows: they are left unread.
  void take_out(std::size_t number) {
    const std::size_t begin = line_begin(number);
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    const std::string_view line = std::string_view{text_}.substr(begin, end - begin);
    if (!is_cut_ && number > last_ && is_assignment(line)) {
      std::fill(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                text_.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      last_ = number;
      return;
    }
    is_cut_ = true;
    text_.resize(begin);
  }

  /// Where the line is; at the end of the text, where the last line is that has anything.
  std::size_t line_begin(std::size_t number) const {
    std::size_t begin = 0;
    for (std::size_t line = 1; line < number && begin < text_.size(); ++line)
      begin = std::min(text_.find('\n', begin), text_.size() - 1) + 1;
    if (begin < text_.size()) return begin;
    const std::size_t last = text_.find_last_not_of(" \t\r\n");
    if (last == text_.npos) return 0;
    const std::size_t newline = text_.rfind('\n', last);
    return newline == text_.npos ? 0 : newline + 1;
  }

  static bool is_assignment(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first != line.npos && (std::isalnum(static_cast<unsigned char>(line[first])) != 0) &&
           line.find('=') != line.npos;
  }

  std::string text_;
  std::size_t last_ = 0;  // line that was left out
  bool is_cut_ = false;
};

/// The number of the first line that the library would go too deep for; 0: none.
std::uint32_t too_deep_line(std::string_view text) {
  std::uint32_t line = 1;
  std::size_t stops = 0;
  for (const char c : text) {
    if (c == '\n') {
      ++line;
      stops = 0;
    } else if (c == '.' && ++stops > limits::config_line_stops) {
      return line;
    }
  }
  return 0;
}

}  // namespace

file_content parse_file(const std::string& path, std::string_view text) {
  file_content content;
  std::vector<placed_failure> failures;
  if (text.size() > limits::config_bytes) {
    failures.push_back({{1, 1}, "larger than " + size_text(limits::config_bytes)});
  } else if (const auto line = too_deep_line(text); line != 0) {
    failures.push_back({{line, 1},
                        "more dots in a line than " + std::to_string(limits::config_line_stops) +
                            "; write a long list in several lines"});
  } else {
    const toml::table tree = healed_text{text}.parse(failures);
    tree_reader{path, content, failures}.read(tree, "");
  }
  std::stable_sort(failures.begin(), failures.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  for (placed_failure& each : failures) {
    content.failures.push_back(
        {to_string(file_place{path, each.at.line, each.at.column}), std::move(each.what)});
  }
  return content;
}

}  // namespace tofud::settings
