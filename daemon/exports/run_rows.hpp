// What a document about a run is made of.
#pragma once

#include "protocol/feed/row.hpp"

#include <string_view>
#include <vector>

namespace tofud::exports {

/// One run of a stream: views into whoever holds its rows, in order of first appearance.
struct run_rows {
  feed::run_view run;
  std::vector<const feed::resource_row*> resources;
  std::vector<const feed::diagnostic_row*> diagnostics;  // ordinal n at n - 1
  std::vector<const feed::test_file_row*> test_files;
  std::vector<const feed::test_run_row*> test_runs;
  std::vector<std::string_view> outputs;  // names
};

}  // namespace tofud::exports
