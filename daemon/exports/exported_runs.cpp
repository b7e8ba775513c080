#include "daemon/exports/exported_runs.hpp"

#include "daemon/exports/junit.hpp"
#include "daemon/files/whole_file.hpp"
#include "daemon/spool/notice.hpp"

#include <system_error>

namespace tofud::exports {
namespace {

exports::run_rows rows_of(const correlator::run_state& state) {
  exports::run_rows rows;
  rows.run = state.view();
  for (const auto& resource : state.resources()) rows.resources.push_back(&resource.row);
  for (std::size_t i = 0; i < state.diagnostics(); ++i) {
    rows.diagnostics.push_back(&state.diagnostic_at(i));
  }
  for (std::size_t i = 0; i < state.test_files(); ++i) {
    rows.test_files.push_back(&state.test_file_at(i));
  }
  for (std::size_t i = 0; i < state.test_runs(); ++i) {
    rows.test_runs.push_back(&state.test_run_at(i));
  }
  rows.outputs = state.output_names();
  return rows;
}

}  // namespace

std::vector<exports::run_rows> exported_runs(const correlator::stream_fold& fold,
                                             const std::string& only) {
  std::vector<exports::run_rows> runs;
  for (const correlator::run_state& run : fold.runs()) {
    if (only.empty() || run.id() == only) runs.push_back(rows_of(run));
  }
  return runs;
}

void write_junit(const std::string& path, const correlator::stream_fold& fold) {
  const auto failure = files::write_file_of_run(path, exports::junit(exported_runs(fold)));
  if (!failure.empty()) spool::notice("no JUnit report: " + failure.text());
}

}  // namespace tofud::exports
