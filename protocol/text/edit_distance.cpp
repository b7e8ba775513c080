#include "protocol/text/edit_distance.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tofud::text {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between beginnings: the one before the last, the last, this one.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::string_view nearest(std::string_view typed, std::span<const std::string_view> words) {
  std::string_view found;
  // Half of a short name changed is another name.
  std::size_t least = std::min<std::size_t>(typed.size() / 3, 4) + 1;
  for (const std::string_view each : words) {
    if (typed.size() > each.size() + least) continue;  // also bounds the work
    const std::size_t distance = edit_distance(typed, each);
    if (distance >= least) continue;
    least = distance;
    found = each;
  }
  return found;
}

}  // namespace tofud::text
