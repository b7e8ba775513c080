#include "daemon/settings/near_name.hpp"

#include "protocol/text/edit_distance.hpp"

#include <algorithm>
#include <utility>

namespace tofud::settings {
namespace {

std::string_view last_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? name : name.substr(dot + 1);
}

}  // namespace

std::string near_name(std::string_view name, const std::vector<std::string_view>& names) {
  std::string_view nearest;
  // Half of a short name changed is another name.
  std::size_t least = std::min<std::size_t>(name.size() / 3, 4) + 1;
  for (const std::string_view each : names) {
    // No name of ours is so long that a longer one could be near it.
    if (name.size() > each.size() + least) continue;
    const std::size_t distance = text::edit_distance(name, each);
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
