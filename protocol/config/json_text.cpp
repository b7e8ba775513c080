#include "protocol/config/json_text.hpp"

#include "protocol/config/text_lines.hpp"

#include <algorithm>

namespace tofud::config {
namespace {

json::keep keep_all(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

constexpr std::string_view blanks = " \t\r\n";

// Behind the string that begins at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

}  // namespace

json_text::json_text(std::string_view text) : parser_{keep_all} {
  const std::size_t begin = byte_order_mark(text);
  const std::size_t last = text.find_last_not_of(blanks);
  const std::string_view json =
      text.substr(begin, last == std::string_view::npos ? 0 : last + 1 - begin);
  if (const auto error = parser_.parse(json)) {
    const std::size_t offset = begin + parser_.consumed();
    failed_ = {offset, std::string{json::describe(*error)} + "; what stands before it was read"};
  }
  find_places(text, begin, begin + std::min(json.size(), parser_.consumed() + 1));
}

// The text was found to be JSON: values come in the order of their nodes, keys are strings before a
// colon.
void json_text::find_places(std::string_view text, std::size_t from, std::size_t to) {
  std::size_t key = from;
  for (std::size_t at = from; at < to;) {
    const char c = text[at];
    if (blanks.find(c) != std::string_view::npos || c == ',' || c == ':' || c == '}' || c == ']') {
      ++at;
      continue;
    }
    std::size_t behind = at + 1;
    if (c == '"') {
      behind = behind_string(text, at);
      const std::size_t next = text.find_first_not_of(blanks, behind);
      if (next != std::string_view::npos && text[next] == ':') {
        key = at;
        at = next + 1;
        continue;
      }
    } else if (c != '{' && c != '[') {
      behind = std::min(text.find_first_of(",]} \t\r\n", at), to);
    }
    places_.push_back({key, at});
    at = behind;
  }
}

}  // namespace tofud::config
