// What is shown of one run whether or not its rows are in memory.
#pragma once

#include "daemon/pipeline/run_topics.hpp"
#include "daemon/wall/run_facts.hpp"
#include "protocol/feed/row.hpp"

#include <optional>
#include <string>

namespace tofud::serve {

class ingested_run;

struct shown_run {
  ingested_run* of = nullptr;
  feed::run_view last;            // its view when it was folded last
  pipeline::run* live = nullptr;  // null: not in memory
  std::optional<feed::row_number> on_wall;
  wall::run_facts facts;             // as its stack's card knows them
  std::size_t diagnostics_seen = 0;  // of the live run
  std::string key() const { return last.id; }
  /// Of one that is opened again, how it ended, also while its rows are made anew.
  feed::run_view view() const;
};

}  // namespace tofud::serve
