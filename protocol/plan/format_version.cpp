#include "protocol/plan/format_version.hpp"

namespace tofud::plan {

std::optional<failure> refused_version(std::string_view version) {
  const std::string_view major = version.substr(0, version.find('.'));
  if (major == "1") return {};
  if (version.empty()) return failure{error::no_version};
  return failure{error::other_version, version};
}

}  // namespace tofud::plan
