// How often each bound of this room was reached and why subscribers went, since the start. For a
// page of metrics.
#pragma once

#include <cstdint>
#include <map>

namespace tofud::fanout {

struct counters {
  std::uint64_t subscribed = 0;  // subscribers that came, refused ones among them
  std::map<std::uint16_t, std::uint64_t>
      closed;                         // by us, under each close code (44xx of streams too)
  std::uint64_t missed_pings = 0;     // dropped: nothing was heard of them
  std::uint64_t dropped_closing = 0;  // dropped: they did not answer a close in time
  std::uint64_t flooding = 0;         // closed: over hub_options::client_frames_per_second
};

}  // namespace tofud::fanout
