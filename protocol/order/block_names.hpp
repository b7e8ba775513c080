// Addresses of blocks, taken apart and put together; none of them has keys.
#pragma once

#include "protocol/config/configuration.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::order {

/// What decides which instances there are.
inline bool is_of_expansion(std::string_view argument) {
  return argument == "count" || argument == "for_each" || argument == "enabled";
}

inline bool is_of_module(std::string_view argument) {
  return is_of_expansion(argument) || argument == "depends_on";
}

/// "module.a.module.b" of "module.a.module.b.aws_vpc.main"; empty in the root module.
inline std::string_view module_of(std::string_view names) {
  const std::size_t size = config::module_size(names);
  return names.substr(0, size == 0 ? 0 : size - 1);
}

/// Of the path of a module: that of its caller.
inline std::string_view caller_of(std::string_view path) {
  const std::size_t last = path.rfind("module.");
  return path.substr(0, last == 0 || last == std::string_view::npos ? 0 : last - 1);
}

inline std::string below(std::string_view path, std::string_view name) {
  std::string made{path};
  if (!made.empty()) made.push_back('.');
  return made.append(name);
}

}  // namespace tofud::order
