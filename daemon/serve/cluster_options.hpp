// With whom a daemon shares its runs.
#pragma once

#include "daemon/cluster/link.hpp"

#include <cstdint>
#include <string>

namespace tofud::serve {

struct cluster_options {
  cluster::servers to;  // none: this daemon is alone
  std::string name = "tofud";
  unsigned replicas = 1;
  std::int64_t max_bytes = -1;  // of all streams; -1: no limit
};

}  // namespace tofud::serve
