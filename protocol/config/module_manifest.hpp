// `.terraform/modules/modules.json`: where `tofu init` has put the modules.
#pragma once

#include "protocol/config/block.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::config {

struct module_manifest {
  /// By the names of the calls from the root module on, with dots between: `net.subnets`. Relative
  /// to the root module's directory.
  std::map<std::string, std::string, std::less<>> directories;
  std::vector<problem> problems;
};

/// `path` is the manifest's own, for problems. An entry that is wrong is passed over.
module_manifest read_manifest(const std::string& path, std::string_view text);

}  // namespace tofud::config
