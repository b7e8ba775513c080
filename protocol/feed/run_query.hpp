// Which runs a list is to show: what `GET /v1/runs` understands, whoever keeps the runs.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/ui/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tofud::feed {

/// What is empty is not asked for.
struct run_query {
  std::vector<std::string> statuses;  // any of them, by their names
  std::vector<label> labels;          // all of them
  std::string stack;                  // this very stack
  std::string text;                   // in id, stack or a label, upper or lower case
  std::string since;                  // RFC 3339: began then or later; a run's id: newer than it
  std::string until;                  // RFC 3339: began before then; a run's id: older than it
  std::string cursor;                 // `next` of the list before
  std::size_t limit = 0;              // 0, and above limits::listed_views: that
  bool counted = false;               // how many of each status there are is wanted, too

  /// Every run is wanted.
  bool is_empty() const;
};

/// How many runs of each status there are, by the statuses' names, of all that a query asks for
/// but for its statuses and its page.
using status_counts = std::map<std::string, std::uint64_t, std::less<>>;

/// Whether the run is one of those, whatever cursor and limit are. An id begins with the minute in
/// which its run began: ids are compared where `since` and `until` are no times.
bool matches(const run_query& wanted, const run_view& run, ui::time_point began);

}  // namespace tofud::feed
