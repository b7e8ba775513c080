// The keeper's child: everything tofud does with a stream but keeping it.
#pragma once

#include "daemon/local/begun_run.hpp"
#include "daemon/local/view_options.hpp"

namespace tofud {

/// Folds the spool while it grows, shows it, serves it, and leaves the exit status in the shared
/// page.
int run_worker(worker_sort sort);

}  // namespace tofud
