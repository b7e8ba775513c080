// A list of runs: of those that are in memory, found as the index of a daemon finds its own; and as
// `GET /v1/runs` answers it.
#pragma once

#include "daemon/journal/run_query.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tofud {

struct run_listing {
  std::vector<feed::run_view> runs;  // newest first
  std::string next;                  // the cursor of what follows; empty: that was all
  feed::status_counts counts;        // if they were asked for
  std::string failure;               // a sentence: it can't be asked for
};

/// Of runs in order of their coming; of those that began at one time the later one is newer.
run_listing list_runs(std::vector<feed::run_view> known, const feed::run_query& asked);

/// `{"runs":[…],"next":…,"counts":{"failed":4,…}}`, the counts if there are any.
class listed_runs_text {
 public:
  void add(const feed::run_view& run);
  std::string end(std::string_view next, const feed::status_counts& counts = {}) &&;

 private:
  std::string text_{"{\"runs\":["};
};

}  // namespace tofud
