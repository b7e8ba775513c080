#include "daemon/keeper/storing_stop.hpp"

#include <system_error>

namespace tofud::keeper {

std::uint64_t packed(const storing_stop& stop) {
  return static_cast<std::uint64_t>(stop.reason) << 60 |
         (static_cast<std::uint64_t>(stop.error) & 0xfff) << 48 | (stop.offset & 0xffff'ffff'ffff);
}

std::optional<storing_stop> unpacked(std::uint64_t word) {
  if (word == 0) return std::nullopt;
  return storing_stop{static_cast<stop_reason>(word >> 60), static_cast<int>(word >> 48 & 0xfff),
                      word & 0xffff'ffff'ffff};
}

std::string reason_text(const storing_stop& stop) {
  switch (stop.reason) {
    case stop_reason::ring_full:
      return "the disk was slower than the stream";
    case stop_reason::write_error:
      return "writing failed (" + std::generic_category().message(stop.error) + ")";
    case stop_reason::spool_limit:
      return "the run has reached the size limit";
    case stop_reason::disk_nearly_full:
      return "the disk is nearly full";
    case stop_reason::keeper_killed:
      return "the keeper was killed before it had stored everything";
  }
  return "unknown reason";
}

}  // namespace tofud::keeper
