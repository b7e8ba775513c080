// Where one subscriber stands in a topic.
#pragma once

#include "protocol/feed/row.hpp"

#include <cstdint>
#include <optional>

namespace tofud::fanout {

/// A plain value: copied, compared, kept. Equal cursors with equal filters get equal bytes, which
/// is what lets subscribers share a flush. A new connection starts with `at` set to what it resumes
/// from (topic::reset_reason says whether it may) and everything else as it is here.
struct cursor {
  feed::sequence at = 0;   // everything up to here was delivered
  bool live = false;       // the first `at` was sent
  bool greeted = false;    // the first view was sent
  std::uint64_t view = 0;  // version of the view last sent
  /// Of forecasts: everything up to this version was delivered. A backlog larger than one turn is
  /// walked in their order.
  std::uint64_t forecast = 0;
  struct forecast_pass {
    std::uint64_t target = 0;   // version when the pass began
    feed::row_number next = 0;  // forecast
    bool operator==(const forecast_pass&) const = default;
  };
  std::optional<forecast_pass> forecasting;
  /// A backlog larger than one flush is walked in passes: removals, then rows, then lines.
  struct pass {
    feed::sequence target = 0;  // T: head when the pass began
    feed::row_number rows = 0;  // rows that existed then
    feed::row_number next_row = 0;
    feed::sequence lines_after = 0;    // lines up to here were delivered in this pass
    feed::sequence removed_after = 0;  // and removals up to here
    bool operator==(const pass&) const = default;
  };
  std::optional<pass> walking;
  bool operator==(const cursor&) const = default;
};

}  // namespace tofud::fanout
