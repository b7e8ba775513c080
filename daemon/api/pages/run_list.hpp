// `/runs`: the runs that are kept, with a search.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/ui/timestamp.hpp"

#include <string>
#include <vector>

namespace tofud::pages {

/// What was asked for, as it came; it stands in the form again.
struct run_search {
  std::string status, label, q;
  std::string stack = {}, since = {}, until = {};
  bool operator==(const run_search&) const = default;
};

struct run_list {
  run_search asked;
  std::vector<feed::run_view> runs;  // newest first
  std::string next;                  // the cursor of what follows; empty: that was all
  bool from_the_newest = true;       // not a later page of the list
  std::string problem;               // a sentence about what was asked for; empty: none
  ui::time_point now;
  std::vector<std::string> stacks = {};  // that are known, to choose from
};

std::string run_list_page(const run_list& list);

}  // namespace tofud::pages
