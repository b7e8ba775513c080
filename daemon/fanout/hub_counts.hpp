// What a hub has done and how often its bounds were reached, since the start: for metrics.
#pragma once

#include "daemon/fanout/subscriber.hpp"
#include "protocol/text/histogram.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace tofud::fanout {

struct hub_counts {
  std::array<std::size_t, transports> subscribers{};  // now, by transport
  /// Of our close frames; 1006 stands for connections that ended without one.
  std::map<close_code, std::uint64_t> closed;
  std::map<std::string, std::uint64_t> resyncs;  // by the reason of `reset`
  std::uint64_t subscribed = 0;                  // that came, refused ones among them
  std::uint64_t missed_pings = 0;                // dropped: nothing was heard of them
  std::uint64_t dropped_closing = 0;             // dropped: they did not answer a close in time
  std::uint64_t flooding = 0;                    // over hub_options::client_frames_per_second
  std::uint64_t long_messages = 0;               // over hub_options::client_message_bytes
  std::uint64_t stalled = 0;                     // took nothing for hub_options::stalled_after
  std::uint64_t frames = 0;                      // handed to sockets
  /// From when a change came in to when a subscriber that waited for it is sent it.
  text::duration_histogram delivery;
  /// Bytes that wait for a subscriber, in its socket and in the frame that is being written to it;
  /// each is looked at once a sweep, so that a slow one weighs as long as it is slow.
  text::byte_histogram waiting;
};

/// Bytes of log lines that every topic of this process has let go to stay within its limit.
std::uint64_t forgotten_log_bytes();

}  // namespace tofud::fanout
