#include "daemon/settings/near_name.hpp"

#include <algorithm>
#include <utility>

namespace tofud::settings {
namespace {

std::string_view last_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? name : name.substr(dot + 1);
}

}  // namespace

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

std::string near_name(std::string_view name, const std::vector<std::string_view>& names) {
  std::string_view nearest;
  // Half of a short name changed is another name.
  std::size_t least = std::min<std::size_t>(name.size() / 3, 4) + 1;
  for (const std::string_view each : names) {
    // No name of ours is so long that a longer one could be near it.
    if (name.size() > each.size() + least) continue;
    const std::size_t distance = edit_distance(name, each);
    if (distance >= least) continue;
    least = distance;
    nearest = each;
  }
  if (!nearest.empty()) return std::string{nearest};
  for (const std::string_view each : names) {
    if (last_part(each) == last_part(name)) return std::string{each};
  }
  return "";
}

}  // namespace tofud::settings
