// Removes old spools.
#pragma once

#include "daemon/spool/limits.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tofud::spool {

struct prune_limits {
  std::chrono::seconds min_age = limits::spool_min_age;
  std::chrono::seconds max_age = limits::spool_max_age;
  std::uint64_t total_bytes = limits::spools_total_bytes;
};

struct pruned_run {
  std::string id;
  std::uint64_t bytes = 0;  // of all its files
  bool operator==(const pruned_run&) const = default;
};

/// Whether the spool at that path is to stay whatever its age: a daemon still lacks some of it.
using spared_spool = std::function<bool(const std::string& path)>;

/// Removes runs nobody uses (no flock on the spool) that are over `min_age` old and either over
/// `max_age` or, oldest first, beyond `total_bytes`. Age counts from the last byte written. The
/// files beside a spool (`ID.events`, …) go with it. What can't be removed is left. May take a
/// while on a slow disk: not for the keeper.
std::vector<pruned_run> prune(const std::string& directory,
                              std::chrono::system_clock::time_point now,
                              const prune_limits& limits = {},
                              const spared_spool& is_spared = nullptr);

/// Removes the run of a spool and the files beside it, for a person who says so. Returns their
/// names; nothing: somebody uses it, or it can't be removed.
std::vector<std::string> remove_run(const std::string& directory, const std::string& id);

}  // namespace tofud::spool
