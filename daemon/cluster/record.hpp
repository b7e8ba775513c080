// What stands in the log of a run: one message each, in the order in which it happened.
//
//   Tofud: {"v":1,"record":"bytes","prev":17,"offset":4711,"at":"2026-11-21T03:12:06.410000Z"}
//
// is a header; what it is about are the message's data. `prev` is the number of the record before
// it (0: it is the first), so that a missing one is noticed by everybody.
#pragma once

#include "daemon/cluster/jetstream.hpp"
#include "protocol/ui/timestamp.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::cluster {

struct record {
  enum class kind : std::uint8_t {
    open,      // data: the run's header, with the parameters of its fold
    bytes,     // of the stream from `offset` on, redacted; came in `at`
    document,  // a piece of what is attached, before its event: `n` of `pieces` of `name`
    event,     // number `n`; takes effect at `offset`; data: one line of JSON
    end,       // no bytes come behind `offset`; since `at`
  };
  kind what = kind::bytes;
  std::uint64_t seq = 0;  // its number; 0: it is not stored yet
  std::uint64_t prev = 0;
  std::uint64_t offset = 0, n = 0, pieces = 0;
  std::string name;
  ui::time_point at;
  std::string data;

  /// Whether both say the same, whoever appended it and when.
  bool is_same(const record& other) const;
};

message message_of(const record& what, std::string subject);

/// The failure is half a sentence. A record of a kind that a later version of tofud has is none.
text::result<record> record_in(stored_message&& stored);

}  // namespace tofud::cluster
