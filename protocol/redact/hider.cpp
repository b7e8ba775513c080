#include "protocol/redact/hider.hpp"

#include <algorithm>

namespace tofud::redact {
namespace {

bool takes(std::string& text, std::string_view made) {
  if (made.data() == text.data()) return false;
  text = made;
  return true;
}

}  // namespace

void hider::append(std::string_view from) {
  std::size_t written = 0;
  parts_ = finder_.find(from, finder::extent::any);
  for (const part& each : parts_) {
    made_.append(from.substr(written, each.begin - written)).append(hidden);
    written = each.end;
  }
  made_.append(from.substr(written));
}

std::string_view hider::text(std::string_view from) {
  if (!finder_.suspects(from)) return from;
  made_.clear();
  append(from);
  if (parts_.empty()) return from;
  return made_;
}

std::size_t hider::moved(std::size_t at) const {
  std::size_t to = at;
  for (const part& each : parts_) {
    if (at <= each.begin) break;
    // What was inside stands behind what took its place.
    to = to - (std::min(at, each.end) - each.begin) + hidden.size();
  }
  return to;
}

/// From a string's first quote; where it ends.
std::size_t hider::append_string(std::string_view from, std::size_t at) {
  std::size_t end = at + 1;
  while (end < from.size() && from[end] != '"') end += from[end] == '\\' ? 2 : 1;
  end = std::min(end, from.size());
  made_.push_back('"');
  append(from.substr(at + 1, end - at - 1));
  return end;  // its last quote is written as any other character
}

std::string_view hider::json(std::string_view from) {
  constexpr std::string_view of_numbers = "+-.0123456789eE";
  if (!finder_.suspects(from)) return from;
  made_.clear();
  for (std::size_t at = 0; at < from.size();) {
    if (from[at] == '"') {
      at = append_string(from, at);
      if (at < from.size()) made_.push_back(from[at++]);
      continue;
    }
    const bool number = from[at] == '-' || (from[at] >= '0' && from[at] <= '9');
    if (!number) {
      made_.push_back(from[at++]);
      continue;
    }
    const std::string_view digits =
        from.substr(at, std::min(from.find_first_not_of(of_numbers, at), from.size()) - at);
    if (finder_.find(digits, finder::extent::any).empty())
      made_.append(digits);
    else
      made_.append("\"").append(hidden).append("\"");
    at += digits.size();
  }
  return made_;
}

bool hider::hide(std::string& text) { return takes(text, this->text(text)); }
bool hider::hide_json(std::string& text) { return takes(text, json(text)); }

}  // namespace tofud::redact
