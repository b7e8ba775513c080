#include "protocol/plan/format_version.hpp"

namespace tofud::plan {

std::optional<std::string> refused_version(std::string_view version) {
  const std::string_view major = version.substr(0, version.find('.'));
  if (major == "1") return {};
  if (version.empty())
    return "format_version is missing: this is not what `tofu show -json` writes of a plan or "
           "state";
  return "format_version is " + std::string{version} +
         ", and this tofud knows 1: take a newer tofud, or `tofu show` of the version that wrote "
         "it";
}

}  // namespace tofud::plan
