// `/runs`: the runs that are kept, with a search.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/feed/run_query.hpp"
#include "protocol/ui/timestamp.hpp"

#include <string>
#include <string_view>
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
  feed::status_counts counts = {};       // of what was asked for in any state
};

std::string run_list_page(const run_list& list);

/// `/runs.js`: new runs come by themselves. Without it the page is what it was when it came.
std::string_view run_list_script();

/// Its Content-Security-Policy: its own script, style and form.
std::string_view run_list_policy();

}  // namespace tofud::pages
