// A run's rows as a document is made of them, while the run goes on.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "daemon/exports/run_rows.hpp"
#include "daemon/operations/held_memory.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace tofud::exports {

/// A copy, made a piece at a time by the thread that folds; another thread reads it afterwards.
/// Each row is as it was when it was copied; what came after the copy was begun is not in it. Texts
/// of resources are the run's own: whoever reads the copy keeps the run.
class copied_rows {
 public:
  explicit copied_rows(const correlator::run_state& of);
  copied_rows(const copied_rows&) = delete;
  copied_rows& operator=(const copied_rows&) = delete;

  /// Copies the next rows, about so many. False: that was all.
  bool copy_some(std::size_t rows);
  /// What was copied; valid as long as this.
  const run_rows& rows() const { return rows_; }

 private:
  void own_causes(feed::resource_row& row);

  const correlator::run_state& of_;
  std::size_t with_causes_ = 0;
  struct counts {
    std::size_t resources, diagnostics, test_files, test_runs, outputs;
  } wanted_;  // when it began
  /// What the run changes while it goes on.
  struct owned_causes {
    std::optional<feed::named_operations> waiting_for, behind;
    feed::causes as_row;
  };
  std::deque<feed::resource_row> resources_;
  std::deque<owned_causes> causes_;
  std::deque<feed::diagnostic_row> diagnostics_;
  std::deque<feed::test_file_row> test_files_;
  std::deque<feed::test_run_row> test_runs_;
  std::deque<std::string> outputs_;
  run_rows rows_;
  operations::held_memory held_{operations::memory_for::answers};
};

}  // namespace tofud::exports
