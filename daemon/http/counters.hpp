// What this room has done and how often each of its bounds was reached, since the start: for
// metrics.
#pragma once

#include <array>
#include <cstdint>

namespace tofud::http {

struct counters {
  /// Answers by the first digit of their status; a connection that became a WebSocket is in 1,
  /// another stream in 2.
  std::array<std::uint64_t, 6> answers{};
  std::uint64_t accepted = 0;             // connections, before any look at them
  std::uint64_t refused_connections = 0;  // over listener_options::connections
  std::uint64_t refused_address = 0;      // over listener_options::connections_per_address
  std::uint64_t refused_peers = 0;        // who may not ask at all
  std::uint64_t refused_reserved = 0;     // requests that had to leave the reserve to others
  std::uint64_t refused_memory = 0;       // reads while listener_options::why_full had a reason
  std::uint64_t cut_unauthenticated = 0;  // idle, of clients that had not shown who they are
  std::uint64_t slowed_unauthenticated =
      0;  // their requests beyond unauthenticated_requests_per_second
  std::uint64_t out_of_descriptors = 0;  // connections that waited for one
  std::uint64_t handshakes = 0;          // of TLS, that came to an end
  std::uint64_t handshake_failures = 0;  // of those begun; time ran out or nonsense came
  std::uint64_t plain_on_tls = 0;        // of the failures, those that spoke plain HTTP
  std::uint64_t bad_heads = 0;           // refused before routing: 400, 501, 505, …
  std::uint64_t long_heads = 0;          // 414 and 431
  std::uint64_t slow_heads = 0;          // 408 of a head
  std::uint64_t slow_bodies = 0;         // 408 of a body that took too long
  std::uint64_t stalled_bodies = 0;      // 408 of a body of which nothing more came
  std::uint64_t long_bodies = 0;         // 413
  std::uint64_t stalled_writes = 0;      // clients that did not take their answer
};

}  // namespace tofud::http
