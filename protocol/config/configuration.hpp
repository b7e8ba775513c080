// A configuration: the root module and all modules that it calls.
#pragma once

#include "protocol/config/block.hpp"
#include "protocol/config/limits.hpp"
#include "protocol/config/lock_file.hpp"
#include "protocol/config/module_manifest.hpp"
#include "protocol/config/module_source.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::config {

struct configuration {
  /// By path without instance keys: empty for the root module, `module.net.module.subnets`. Calls
  /// of the same directory share one source.
  std::map<std::string, std::shared_ptr<const module_source>, std::less<>> modules;
  /// Of all modules, each once; at most limits::module_problems.
  std::vector<problem> problems;
  std::size_t problems_left_out = 0;
  /// As `tofu init` has chosen them; empty: unknown.
  std::vector<locked_provider> providers;

  /// The block that a resource instance or a module was made of, such as that of
  /// `module.net[0].aws_subnet.a["x"]`; none if there is none. Valid as long as this is.
  const block* find(std::string_view address) const;
};

/// Bytes of the modules in front of a block's own address without keys, the dot included: 18 of
/// "module.a.module.b.aws_vpc.main", 9 of "module.a.module.b".
std::size_t module_size(std::string_view names);

/// Gives what is in a directory, which is relative to the root module's (`.`, `net`, `../m`). Asked
/// once for each.
using directory_reader = std::function<source_directory(const std::string& directory)>;

/// Reads the root module in `.` and all that it calls. A module's directory stands in the manifest;
/// if it does not, and the call's source is a path, it is found by that.
configuration read_configuration(const module_manifest& manifest, const directory_reader& read);

}  // namespace tofud::config
