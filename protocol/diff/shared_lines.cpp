#include "protocol/diff/shared_lines.hpp"

#include <algorithm>

namespace tofud::diff {

const shared_lines::lines& shared_lines::side::of(std::size_t element) {
  if (at == element) return found;
  at = element;
  found.clear();
  for (std::string_view text = all[element].text();;) {
    const std::size_t end = text.find('\n');
    found.insert(text.substr(0, end));
    if (end == std::string_view::npos) return found;
    text.remove_prefix(end + 1);
  }
}

bool shared_lines::are_in(std::size_t before, std::size_t after) {
  const json::value a = before_.all[before], b = after_.all[after];
  if (!a.is(json::kind::string) || !b.is(json::kind::string)) return false;
  const lines& first = before_.of(before);
  const lines& second = after_.of(after);
  if (first.size() + second.size() == 2 && a.text().find('\n') == std::string_view::npos &&
      b.text().find('\n') == std::string_view::npos) {
    return false;
  }
  const bool is_first_smaller = first.size() < second.size();
  const lines& few = is_first_smaller ? first : second;
  const lines& many = is_first_smaller ? second : first;
  return std::any_of(few.begin(), few.end(),
                     [&](std::string_view line) { return many.contains(line); });
}

}  // namespace tofud::diff
