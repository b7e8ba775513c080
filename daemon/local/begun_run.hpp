// What is known of a run when its worker starts: found out by the first one, told to those after
// it.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "daemon/keeper/worker_link.hpp"
#include "daemon/local/view_options.hpp"
#include "protocol/events/event.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tofud {

enum class worker_sort {
  with_view,
  headless,  // only finds the exit status: no listening, no output
};

struct begun_run {
  correlator::run_identity identity;
  std::string plan_out;                // the file that a plan writes; empty: none
  std::string directory;               // of the root module, absolute; empty: unknown
  std::vector<std::string> variables;  // that its command was given (redaction::variables_of)
  /// What the worker before this one attached.
  std::vector<events::placed<events::attachment>> attached;
};

/// Writes the run's first events if nobody did. Looks for the process that writes the pipe, which
/// may be gone a moment later.
begun_run begin_run(const view_options& view, worker_sort sort, const keeper::worker_link& link);

/// The hash of a plan file; nothing if it can't be read, or is none.
std::optional<events::plan_file> plan_file_of(events::plan_role role, const std::string& path);

}  // namespace tofud
