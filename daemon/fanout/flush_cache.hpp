// Subscribers that stand at the same place share the bytes of a flush.
#pragma once

#include "daemon/fanout/framing.hpp"
#include "daemon/fanout/topic.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tofud::fanout {

/// One flush for one subscriber. `bytes` is null when there is nothing to send: the cursor is
/// current (`nothing`), or a turn's worth of rows was examined in vain (`more`).
struct flush {
  filled did = filled::nothing;
  std::shared_ptr<const std::string> bytes;
};

/// Bytes for subscribers, counted as memory as long as somebody holds them.
std::shared_ptr<const std::string> counted_flush(std::string bytes);

/// Remembers the newest flushes. One is given again to whoever stands where it began, with an equal
/// filter and the same framing, while its topic has not moved; one that did not reach the head is
/// right even later, since what changed after it comes in a later flush.
class flush_cache {
 public:
  explicit flush_cache(std::size_t flushes = 64);

  /// topic::fill through the memory. Moves `where`.
  flush next(const topic& from, cursor& where, const feed::filter& wanted, framing how);

 private:
  struct entry {
    std::shared_ptr<const std::string> topic;  // its identity
    cursor before, after;
    feed::filter wanted;
    framing how = framing::lines;
    feed::sequence head = 0, forgotten = 0;
    std::uint64_t view = 0, forecast = 0;
    flush made;
  };
  static bool holds(const entry& known, const topic& from);

  std::size_t most_, oldest_ = 0;
  std::vector<entry> entries_;  // a ring once it is full
  std::string lines_;           // reused
};

}  // namespace tofud::fanout
