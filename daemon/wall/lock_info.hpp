// Who holds the lock of a state, as OpenTofu and Terraform write it into an error.
#pragma once

#include "protocol/ui/timestamp.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud::wall {

/// Fields as printed; empty where nothing was.
struct lock_info {
  std::string id, path, operation, who, version, info;
  std::optional<ui::time_point> created_at;  // by the clock of whoever took the lock
  bool operator==(const lock_info&) const = default;
};

/// Whether a diagnostic with that summary is about a lock that could not be had.
bool is_lock_error(std::string_view summary);

/// Reads the `Lock Info:` of a diagnostic's detail (statemgr.LockInfo.String of OpenTofu 1.6
/// to 1.13 and of Terraform 1.x). Nothing if there is none, as when a backend only says "locked".
std::optional<lock_info> parse_lock_info(std::string_view detail);

/// Reads the file that a backend keeps of a lock, such as `.terraform.tfstate.lock.info`
/// (statemgr.LockInfo as JSON). Nothing if it has no ID.
std::optional<lock_info> parse_lock_file(std::string_view text);

}  // namespace tofud::wall
