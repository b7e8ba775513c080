#include "daemon/settings/near_name.hpp"

#include "protocol/text/edit_distance.hpp"

namespace tofud::settings {
namespace {

std::string_view last_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? name : name.substr(dot + 1);
}

}  // namespace

std::string near_name(std::string_view name, const std::vector<std::string_view>& names) {
  const std::string_view nearest = text::nearest(name, names);
  if (!nearest.empty()) return std::string{nearest};
  for (const std::string_view each : names) {
    if (last_part(each) == last_part(name)) return std::string{each};
  }
  return "";
}

}  // namespace tofud::settings
