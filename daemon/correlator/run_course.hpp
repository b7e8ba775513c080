// What a run does and how it ends, as far as the stream tells: the rules that look at all of it.
#pragma once

#include "daemon/correlator/resource_state.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/ui/timestamp.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace tofud::correlator {

/// Counts of what came, for the run's view.
struct run_totals {
  /// Counts what a resource stands for; `one` is one, or minus one.
  void add(const resource_state::share& share, std::uint64_t one);

  std::array<std::uint64_t, feed::resource_statuses> counts{};
  std::uint64_t progress_done = 0, progress_total = 0;
  std::uint64_t open_steps = 0, open_changes = 0;
  std::optional<feed::change_counts> planned, applied;
  std::optional<feed::test_counts> tests;
  /// Of the steps of the apply phase that began and ended, the first beginning and the last end.
  std::optional<ui::time_point> applied_from, applied_to;
  std::uint64_t drifted = 0;  // objects that were changed outside of OpenTofu
  std::uint64_t errors = 0, warnings = 0;
  std::uint64_t versions = 0, messages = 0, text_lines = 0, log_lines = 0, unmatched = 0,
                malformed = 0, output_messages = 0;
};

struct run_course {
  run_facts facts;
  feed::run_phase phase = feed::run_phase::plan;
  feed::run_status status = feed::run_status::running;
  std::string test_status;  // of `test_summary`
  std::optional<ui::time_point> started_at, last_line_at;
  std::optional<int> exit_status;
  bool errored = false;  // a hook says so, or a message without a type: `import` has no other error
  bool cancelled = false, interrupted = false;
  bool plan_summary = false, destroy_summary = false, output_values = false;
  bool planned_change = false, refreshed = false, tested = false, drift = false;
  bool last_says_all = false;  // the last message was untyped, or of a type that ends a command
  bool initialised = false;    // Terraform says what `init` does
  bool asked = false, approval_shown = false;
  bool broken_off = false;
  bool interleaved = false, unsupported = false, has_left_out = false;

  /// From a plan summary with changes until the next line, outputs aside, somebody may be asked for
  /// approval: the stream does not say so (recording json-into-approval).
  bool may_wait_for_approval() const { return asked && !facts.over; }
};

/// How it ended; inferred from the stream where nobody tells.
feed::run_status inferred_status(const run_course& course, const run_totals& totals,
                                 feed::run_command command);

/// What it was told to do, where nobody told us.
feed::run_command inferred_command(const run_course& course);

}  // namespace tofud::correlator
