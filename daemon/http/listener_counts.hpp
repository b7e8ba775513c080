// What a listener has done, counted: for metrics.
#pragma once

#include <array>
#include <cstdint>

namespace tofud::http {

struct listener_counts {
  /// Answers by the first digit of their status; a connection that became a WebSocket is in 1,
  /// another stream in 2.
  std::array<std::uint64_t, 6> answers{};
  // Limits that were reached:
  std::uint64_t connections = 0;   // limits::connections
  std::uint64_t header_bytes = 0;  // limits::header_bytes
  std::uint64_t header_time = 0;   // limits::header_time
  std::uint64_t body_bytes = 0;    // of a path
};

}  // namespace tofud::http
