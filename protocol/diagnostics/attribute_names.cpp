#include "protocol/diagnostics/attribute_names.hpp"

#include "protocol/config/lexer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace tofud::diagnostics {
namespace {

using config::token;
using config::token_kind;
using path = std::vector<std::string_view>;

bool is_name_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-';
}

// The line in which a fault begins, and where in it.
struct faulty_line {
  std::string_view text;
  std::size_t fault;
};

faulty_line line_of(const feed::source_snippet& snippet) {
  const std::string_view code = snippet.code;
  const auto at = static_cast<std::size_t>(std::clamp<std::int64_t>(
      snippet.highlight_start_offset, 0, static_cast<std::int64_t>(code.size())));
  const std::size_t newline = at == 0 ? code.npos : code.rfind('\n', at - 1);
  const std::size_t begin = newline == code.npos ? 0 : newline + 1;
  return {code.substr(begin, code.find('\n', begin) - begin), at - begin};
}

std::size_t indent_of(std::string_view line) {
  std::size_t indent = 0;
  for (const char c : line) {
    if (c != ' ' && c != '\t') break;
    indent += c == '\t' ? 2 : 1;
  }
  return indent;
}

// Follows a line up to the fault: what it opens, and what it names last.
class line_reader {
 public:
  explicit line_reader(faulty_line of) : of_{of} {}

  line_names read() {
    line_names found;
    found.indent = indent_of(of_.text);
    config::lexer lexer{of_.text};
    for (token next = lexer.next(); next.kind != token_kind::end && next.kind != token_kind::broken;
         next = lexer.next()) {
      const auto at = static_cast<std::size_t>(next.text.data() - of_.text.data());
      if (at > of_.fault && !(pending_ && is_assigning(next.kind))) break;
      take(next);
      if (at > of_.fault) break;
    }
    found.whole = whole_;
    for (const std::string_view each : opened_) {
      if (!each.empty()) found.names.push_back(each);
    }
    if (!assigned_.empty()) found.names.push_back(assigned_);
    return found;
  }

 private:
  // A marked name is followed by what makes it one.
  static bool is_assigning(token_kind kind) {
    return kind == token_kind::equals || kind == token_kind::open_brace ||
           kind == token_kind::open_quote || kind == token_kind::literal ||
           kind == token_kind::close_quote;
  }

  static bool is_bracket(token_kind kind) {
    return kind == token_kind::open_bracket || kind == token_kind::open_parenthesis ||
           kind == token_kind::close_bracket || kind == token_kind::close_parenthesis;
  }

  void take(const token& next) {
    // What is in a list or a call has no place of its own.
    if (depth_ > 0 && !is_bracket(next.kind)) return;
    switch (next.kind) {
      case token_kind::identifier:
        if (quoted_) return;
        if (!pending_) pending_ = next.text;
        return;
      case token_kind::open_quote:
        quoted_ = true;
        return;
      case token_kind::literal:
        if (quoted_ && pending_ && assigned_.empty()) labels_.push_back(next.text);
        return;
      case token_kind::close_quote:
        quoted_ = false;
        return;
      case token_kind::equals:
        if (pending_ && assigned_.empty()) assigned_ = *pending_;
        return;
      case token_kind::open_brace:
        return open();
      case token_kind::close_brace:
        if (!opened_.empty()) opened_.pop_back();
        return forget();
      case token_kind::open_bracket:
      case token_kind::open_parenthesis:
        ++depth_;
        return;
      case token_kind::close_bracket:
      case token_kind::close_parenthesis:
        if (depth_ > 0) --depth_;
        return;
      case token_kind::newline:
        return forget();
      default:
        if (next.text == ",") forget();
        return;
    }
  }

  void open() {
    const std::string_view name = assigned_.empty() ? pending_.value_or("") : assigned_;
    if (labels_.size() == 2 || (name == "provider" && labels_.size() == 1)) {
      whole_ = true;
    } else if (name == "dynamic" && labels_.size() == 1) {
      opened_.push_back(labels_[0]);
    } else if (name != "content") {
      opened_.push_back(name);
    }
    forget();
  }

  void forget() {
    pending_.reset();
    assigned_ = {};
    labels_.clear();
  }

  faulty_line of_;
  path opened_, labels_;
  std::optional<std::string_view> pending_;
  std::string_view assigned_;
  bool quoted_ = false, whole_ = false;
  std::size_t depth_ = 0;
};

// `"port": 0`: the last key that begins before the fault.
line_names json_names(faulty_line of) {
  line_names found;
  found.indent = indent_of(of.text);
  for (std::size_t at = 0; at <= of.fault && at < of.text.size(); ++at) {
    if (of.text[at] != '"') continue;
    const std::size_t end = of.text.find('"', at + 1);
    if (end == std::string_view::npos) break;
    const std::size_t behind = of.text.find_first_not_of(' ', end + 1);
    if (behind != std::string_view::npos && of.text[behind] == ':') {
      found.names = {of.text.substr(at + 1, end - at - 1)};
    }
    at = end;
  }
  return found;
}

// `network.port`, `list[0].name`, `map["key"].x`, `set[Value({…})]`: the names of it.
path names_of_path(std::string_view text) {
  path names;
  while (!text.empty()) {
    if (text.front() == '[') {
      const std::size_t end = text.find(']');
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
      continue;
    }
    if (text.front() == '.') text.remove_prefix(1);
    std::size_t size = 0;
    while (size < text.size() && is_name_byte(text[size])) ++size;
    if (size == 0) break;
    const std::string_view name = text.substr(0, size);
    const bool number = name.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number) names.push_back(name);
    text.remove_prefix(size);
    if (text.empty() || (text.front() != '.' && text.front() != '[')) break;
    if (text.front() == '.' && (text.size() == 1 || !is_name_byte(text[1]))) break;
  }
  return names;
}

// What stands before a path in the texts of OpenTofu, of the plugin framework, of the older SDK.
constexpr std::array<std::string_view, 11> introductions{
    "argument \"",       "attribute \"",         "Attribute \"",
    "argument named \"", "attribute named \"",   "Attribute ",
    "attribute: ",       "attributes: ",         "Path: ",
    "new value: .",      "configured value for "};

void add_introduced(std::vector<path>& to, std::string_view text) {
  for (const std::string_view words : introductions) {
    for (std::size_t at = text.find(words); at != std::string_view::npos;
         at = text.find(words, at + 1)) {
      path names = names_of_path(text.substr(at + words.size()));
      if (!names.empty()) to.push_back(std::move(names));
    }
  }
}

// `"port": required field is not set`, `"port" (…)`.
void add_leading(std::vector<path>& to, std::string_view text) {
  if (!text.starts_with('"')) return;
  path names = names_of_path(text.substr(1));
  if (!names.empty()) to.push_back(std::move(names));
}

template <typename Take>
void each_place(const std::vector<schema::attribute>& attributes, path& names, Take& take) {
  for (const schema::attribute& each : attributes) {
    names.push_back(each.name);
    take(named_place{names, &each, nullptr});
    if (each.nested) each_place(each.nested->attributes, names, take);
    names.pop_back();
  }
}

template <typename Take>
void each_place(const schema::block& within, path& names, Take& take) {
  each_place(within.attributes, names, take);
  for (const schema::block_type& each : within.blocks) {
    names.push_back(each.name);
    take(named_place{names, nullptr, &each});
    each_place(each.block, names, take);
    names.pop_back();
  }
}

// `dynamic "network" { content { port = 1 } }` in JSON is `dynamic.network.content.port`.
path without_dynamic(const path& names) {
  path plain;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool dynamic = names[i] == "dynamic" && i + 1 < names.size();
    const bool content = names[i] == "content" && i > 1 && names[i - 2] == "dynamic";
    if (!dynamic && !content) plain.push_back(names[i]);
  }
  return plain;
}

}  // namespace

line_names names_at_fault(const feed::source_snippet& snippet) {
  const faulty_line of = line_of(snippet);
  const std::size_t first = of.text.find_first_not_of(" \t{[");
  if (first != std::string_view::npos && of.text[first] == '"') return json_names(of);
  return line_reader{of}.read();
}

std::vector<path> names_in_words(const feed::diagnostic_row& row) {
  std::vector<path> found;
  for (const std::string* text : {&row.summary, &row.detail}) {
    add_leading(found, *text);
    add_introduced(found, *text);
  }
  return found;
}

named_place find_place(const schema::block& within, const path& names) {
  named_place found;
  const schema::block* block = &within;
  const std::vector<schema::attribute>* attributes = &within.attributes;
  for (const std::string_view name : without_dynamic(names)) {
    const schema::block_type* inner = block == nullptr ? nullptr : schema::find_block(*block, name);
    const schema::attribute* attribute = schema::find_attribute(*attributes, name);
    if (attribute == nullptr && inner == nullptr) return {};
    found.names.push_back(name);
    found.attribute = attribute;
    found.block = attribute == nullptr ? inner : nullptr;
    if (attribute != nullptr) {
      if (!attribute->nested) return found;
      block = nullptr;
      attributes = &attribute->nested->attributes;
    } else {
      block = &inner->block;
      attributes = &inner->block.attributes;
    }
  }
  return found;
}

std::vector<named_place> places_ending_with(const schema::block& within, const path& names) {
  std::vector<named_place> found;
  if (names.empty()) return found;
  path to;
  const auto take = [&](named_place place) {
    const bool ends = place.names.size() >= names.size() &&
                      std::equal(names.rbegin(), names.rend(), place.names.rbegin());
    if (ends) found.push_back(std::move(place));
  };
  each_place(within, to, take);
  return found;
}

}  // namespace tofud::diagnostics
