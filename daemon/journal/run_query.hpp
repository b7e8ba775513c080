// What the index is told of a run, and what it is asked.
#pragma once

#include "protocol/feed/limits.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/feed/run_query.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/ui/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::journal {

/// A run as a list shows it, folded from `bytes` of its stream and `events` of its events.
struct indexed_run {
  std::string id, stack;
  std::string command, status;  // the feed's words
  ui::time_point created_at;
  std::optional<ui::time_point> started_at, ended_at;
  std::uint64_t bytes = 0, events = 0;
  std::vector<feed::label> labels;
  std::string granted;  // of these (feed::labels_text)
  std::string view;     // the `run` row, JSON text as the feed encodes it
};

using feed::run_query;

enum class query_trouble : std::uint8_t { none, bad_query, disk };

struct listed_view {
  std::string id, view;
};

struct run_list {
  std::vector<listed_view> runs;  // newest first: by created_at, then id
  std::string next;               // empty: there are no more
  feed::status_counts counts;     // if they were asked for
  query_trouble trouble = query_trouble::none;
  text::failure failure;  // with a trouble
};

/// Whether the durations of a run that goes are forgotten as well.
enum class history_of_run : std::uint8_t { stays, goes };

}  // namespace tofud::journal
