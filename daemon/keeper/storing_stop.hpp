// Why and where the keeper stopped storing the stream.
#pragma once

#include "daemon/files/limits.hpp"
#include "daemon/keeper/limits.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tofud::keeper {

enum class stop_reason : std::uint8_t {
  ring_full = 1,     // the disk was slower than the stream for longer than the ring lasts
  write_error,       // write(2) failed, see `error`
  spool_limit,       // limits::spool_bytes, or limits::memory_spool_bytes in memory
  disk_nearly_full,  // less is free than limits::free_bytes and free_percent ask for
  keeper_killed,     // with bytes that it had not stored, in memory that its heir does not have
};

struct storing_stop {
  stop_reason reason;
  int error = 0;  // errno of a write_error
  /// Bytes of the stream that are stored; those from here on are not.
  std::uint64_t offset = 0;
  bool operator==(const storing_stop&) const = default;
};

/// One word, so that two threads and two processes never see half of one; 0 is none.
/// Offsets have 48 bits: a hundred thousand times what a spool may hold.
std::uint64_t packed(const storing_stop& stop);
std::optional<storing_stop> unpacked(std::uint64_t word);

/// "the disk is nearly full"; half a sentence, for people.
std::string reason_text(const storing_stop& stop);

}  // namespace tofud::keeper
