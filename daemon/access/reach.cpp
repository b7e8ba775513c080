#include "daemon/access/reach.hpp"

#include "daemon/access/errors.hpp"
#include "daemon/access/limits.hpp"
#include "protocol/text/ascii.hpp"
#include "protocol/upload/create_request.hpp"

#include <algorithm>
#include <utility>

namespace tofud::access {

/// A star that comes later starts no further left than it has to, so that only the last one is ever
/// tried again.
bool fits(std::string_view pattern, std::string_view stack) {
  constexpr auto none = std::string_view::npos;
  std::size_t at = 0, star = none, star_ends = 0;
  for (std::size_t i = 0; i < stack.size() || at < pattern.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      if (at + 1 == pattern.size()) return true;
      star = ++at;
      star_ends = i;
      continue;
    }
    if (at < pattern.size() && i < stack.size() && pattern[at] == stack[i]) {
      ++at;
      ++i;
      continue;
    }
    if (star == none || star_ends >= stack.size() || stack[star_ends] == '/') return false;
    at = star;
    i = ++star_ends;
  }
  return true;
}

bool reach::is_everything() const {
  return labels.empty() &&
         (stacks.empty() || std::find(stacks.begin(), stacks.end(), "*") != stacks.end());
}

bool reach::holds(std::string_view stack) const {
  if (stacks.empty()) return true;
  const std::string lower = is_case_sensitive ? "" : text::lower(stack);
  return std::any_of(stacks.begin(), stacks.end(), [&](const std::string& pattern) {
    return is_case_sensitive ? fits(pattern, stack) : fits(text::lower(pattern), lower);
  });
}

bool reach::holds(std::string_view stack, const std::vector<feed::label>& granted) const {
  return holds(stack) && std::all_of(labels.begin(), labels.end(), [&](const feed::label& wanted) {
           return std::find(granted.begin(), granted.end(), wanted) != granted.end();
         });
}

text::failure reach::add_stack(std::string_view pattern) {
  const bool fits_a_line = std::none_of(pattern.begin(), pattern.end(),
                                        [](unsigned char c) { return c <= ' ' || c == 0x7f; });
  if (pattern.empty() || pattern.size() > limits::stack_pattern_bytes || !fits_a_line) {
    return {error::no_stack_pattern, pattern};
  }
  const auto place = std::lower_bound(stacks.begin(), stacks.end(), pattern);
  if (place != stacks.end() && *place == pattern) return {};
  if (stacks.size() >= limits::stack_patterns) {
    return {error::too_many_stack_patterns, std::to_string(limits::stack_patterns)};
  }
  stacks.emplace(place, pattern);
  return {};
}

text::failure reach::add_label(std::string_view text) {
  auto read = feed::parse_label(text);
  // Elsewhere they are lines (feed::labels_text).
  const bool fits_a_line =
      std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (!read || !fits_a_line) return {error::no_label, text};
  auto all = labels;
  std::erase_if(all, [&](const feed::label& each) { return each.key == read->key; });
  all.push_back(std::move(*read));
  auto checked = upload::checked_labels(std::move(all));
  if (!checked) return checked.error();
  std::sort(checked->begin(), checked->end(),
            [](const feed::label& a, const feed::label& b) { return a.key < b.key; });
  labels = std::move(*checked);
  return {};
}

std::string to_text(const std::vector<feed::label>& labels) {
  std::string text;
  for (const feed::label& each : labels)
    text.append(text.empty() ? "" : ", ").append(each.key).append("=").append(each.value);
  return text;
}

std::string to_text(const reach& those) {
  std::string text;
  for (const std::string& each : those.stacks) text.append(text.empty() ? "" : ", ").append(each);
  if (text.empty()) text = "any stack";
  if (!those.labels.empty()) text += " with " + to_text(those.labels);
  return text;
}

}  // namespace tofud::access
