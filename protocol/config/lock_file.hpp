// `.terraform.lock.hcl`: which version of each provider `tofu init` has chosen.
// Facts: OpenTofu's page "Dependency Lock File".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tofud::config {

struct locked_provider {
  std::string source;  // its whole address: HOST/NAMESPACE/TYPE
  std::string version;
  friend bool operator==(const locked_provider&, const locked_provider&) = default;
};

/// In the order of the file; what is no such block, or has no version, is passed over.
std::vector<locked_provider> read_lock_file(std::string_view text);

}  // namespace tofud::config
