#include "protocol/config/json_text.hpp"

#include "protocol/config/text_lines.hpp"

#include <algorithm>

namespace tofud::config {
namespace {

json::keep keep_all(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

constexpr std::string_view blanks = " \t\r\n";

// Where the next value or key begins: behind blanks and everything that is closed or separated.
std::size_t behind_separators(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n,:]}", at), text.size());
}

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
  const std::size_t size = last == std::string_view::npos ? 0 : last + 1 - begin;
  if (const auto error = parser_.parse(text.substr(begin, size))) {
    const std::size_t offset = begin + parser_.consumed();
    failed_ = {offset, std::string{json::describe(*error)} + "; everything before it was read"};
  }
  if (root()) find_places(text, begin, root(), member_of::nothing);
}

// The text is known to be JSON as far as there are values. Returns where the value ends, before the
// brackets that close it.
std::size_t json_text::find_places(std::string_view text, std::size_t at, json::value of,
                                   member_of parent) {
  at = behind_separators(text, at);
  const std::size_t key = at;
  if (parent == member_of::object) at = behind_separators(text, behind_string(text, at));
  places_.push_back({key, at});
  if (of.is(json::kind::object) || of.is(json::kind::array)) {
    const bool object = of.is(json::kind::object);
    ++at;
    for (const json::value each : of) {
      at = find_places(text, at, each, object ? member_of::object : member_of::nothing);
    }
    return at;
  }
  if (of.is(json::kind::string)) return behind_string(text, at);
  return std::min(text.find_first_of(",]}", at), text.size());
}

}  // namespace tofud::config
