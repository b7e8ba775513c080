#include "protocol/diagnostics/json_outline.hpp"

#include "protocol/json/limits.hpp"

#include <algorithm>

namespace tofud::diagnostics {
namespace {

using type = outlined::type;

constexpr std::string_view blanks = " \t\r\n";

bool is_word_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '+' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_json_word(std::string_view word) {
  if (word == "true" || word == "false" || word == "null") return true;
  const char c = word.front() == '-' && word.size() > 1 ? word[1] : word.front();
  return c >= '0' && c <= '9';
}

// Behind a string that begins at `at`; npos: it has no end.
std::size_t behind_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\n') break;
    if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

}  // namespace

json_outline::json_outline(std::string_view text, read_as how) : text_{text}, how_{how} {
  nodes_.push_back({.what = type::text, .end = text.size()});
  open_.push_back(0);
  read();
  finish();
}

void json_outline::read() {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
    if (!take_next()) break;
  }
  const bool whole = at_ >= text_.size() && open_.size() == 1 && key_end_ == 0;
  if (how_ == read_as::document && !whole) broken_at_ = at_;
}

bool json_outline::take_next() {
  if (nodes_.size() >= limits::json_nodes) {
    broken_at_ = at_;
    return false;
  }
  switch (text_[at_]) {
    case '{':
      return open(type::object);
    case '[':
      return open(type::array);
    case '}':
      return close(type::object);
    case ']':
      return close(type::array);
    case '"':
      return take_string();
    case ',':
      return take_comma();
    default:
      return take_word();
  }
}

bool json_outline::take_comma() {
  const bool separates = has_item_ && key_end_ == 0 && open_.size() > 1;
  if (!separates && how_ == read_as::document) return false;
  ++at_;
  has_item_ = false;
  after_comma_ = separates;
  key_begin_ = key_end_ = 0;
  return true;
}

// A member's value needs its key, anything else a comma before it.
bool json_outline::may_stand_here() const {
  if (how_ == read_as::fragment) return true;
  if (nodes_[open_.back()].what == type::object) return key_end_ > 0;
  return !has_item_;
}

bool json_outline::is_key_place() const {
  if (how_ == read_as::fragment) return key_end_ == 0;
  return nodes_[open_.back()].what == type::object && !has_item_ && key_end_ == 0;
}

bool json_outline::colon_follows(std::size_t at) const {
  at = text_.find_first_not_of(blanks, at);
  return at != std::string_view::npos && text_[at] == ':';
}

bool json_outline::take_string() {
  const std::size_t end = behind_string(text_, at_);
  if (end == std::string_view::npos && how_ == read_as::fragment) {
    const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
    add(type::unknown, at_, line_end);
    at_ = line_end;
    return true;
  }
  if (end == std::string_view::npos) {
    if (may_stand_here()) add(type::unknown, at_, text_.size());
    broken_at_ = at_;
    return false;
  }
  if (is_key_place() && colon_follows(end)) {
    key_begin_ = at_;
    key_end_ = end;
    at_ = text_.find(':', end) + 1;
    return true;
  }
  if (!may_stand_here()) return false;
  add(type::string, at_, end);
  at_ = end;
  return true;
}

bool json_outline::take_word() {
  std::size_t end = at_;
  while (end < text_.size() && is_word_byte(text_[end])) ++end;
  const bool known = end > at_ && is_json_word(text_.substr(at_, end - at_));
  if (how_ == read_as::fragment) {
    if (known) add(type::word, at_, end);
    key_begin_ = key_end_ = 0;  // what is no value stands for its value
    at_ = std::max(end, at_ + 1);
    return true;
  }
  if (!may_stand_here()) return false;
  add(known ? type::word : type::unknown, at_, end);
  if (!known) return false;
  at_ = end;
  return true;
}

std::uint32_t json_outline::add(type what, std::size_t begin, std::size_t end) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  outlined added{.what = what, .begin = begin, .end = end};
  added.key_begin = key_begin_;
  added.key_end = key_end_;
  added.parent = open_.back();
  added.next = index + 1;
  nodes_.push_back(added);
  key_begin_ = key_end_ = 0;
  has_item_ = true;
  after_comma_ = false;
  return index;
}

bool json_outline::open(type what) {
  if (!may_stand_here()) return false;
  if (open_.size() > limits::json_depth) {
    broken_at_ = at_;
    return false;
  }
  const std::uint32_t index = add(what, at_, text_.size());
  nodes_[index].open = true;
  open_.push_back(index);
  has_item_ = after_comma_ = false;
  ++at_;
  return true;
}

bool json_outline::close(type what) {
  const bool matches = nodes_[open_.back()].what == what;
  const bool ends_well = matches && !after_comma_ && key_end_ == 0;
  if (!ends_well && how_ == read_as::document) return false;
  ++at_;
  if (!matches) return true;
  outlined& closed = nodes_[open_.back()];
  closed.end = at_;
  closed.open = false;
  closed.next = static_cast<std::uint32_t>(nodes_.size());
  open_.pop_back();
  has_item_ = true;
  after_comma_ = false;
  key_begin_ = key_end_ = 0;
  return true;
}

void json_outline::finish() {
  // A key without a value: what is wrong is the value.
  if (broken_at_ && key_end_ > 0 && nodes_.size() < limits::json_nodes) {
    add(type::unknown, *broken_at_, *broken_at_);
  }
  for (const std::uint32_t each : open_) {
    nodes_[each].next = static_cast<std::uint32_t>(nodes_.size());
    if (broken_at_) nodes_[each].open = true;
  }
}

void json_outline::skip_blanks() {
  at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
}

std::string_view json_outline::name(std::uint32_t member) const {
  const outlined& of = nodes_[member];
  if (!of.is_member()) return {};
  return text_.substr(of.key_begin + 1, of.key_end - of.key_begin - 2);
}

std::string_view json_outline::value(std::uint32_t at) const {
  return text_.substr(nodes_[at].begin, nodes_[at].end - nodes_[at].begin);
}

std::uint32_t json_outline::innermost(std::size_t byte) const {
  std::uint32_t found = 0;
  // What could not be read is in what was open there.
  if (broken_at_ && byte >= *broken_at_) {
    found = open_.back();
    const auto last = static_cast<std::uint32_t>(nodes_.size() - 1);
    return nodes_[last].what == type::unknown ? last : found;
  }
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (std::uint32_t at = found + 1; at < nodes_[found].next; at = nodes_[at].next) {
      if (byte < nodes_[at].first_byte() || byte >= nodes_[at].end) continue;
      found = at;
      deeper = true;
      break;
    }
  }
  return found;
}

std::vector<std::uint32_t> json_outline::chain(std::uint32_t to) const {
  std::vector<std::uint32_t> links;
  for (; to != 0; to = nodes_[to].parent) links.push_back(to);
  std::reverse(links.begin(), links.end());
  return links;
}

}  // namespace tofud::diagnostics
