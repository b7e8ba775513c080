// Runs as a Chrome trace, for Perfetto and chrome://tracing.
#pragma once

#include "daemon/exports/run_rows.hpp"

#include <string>
#include <vector>

namespace tofud::exports {

/// The JSON object format with complete events (`ph` X): a process per run, in it as many threads
/// as steps ran at a time, since events of one thread must nest. Provisioners lie within their
/// step, errors are instants. Times are microseconds since the first run began. A step without an
/// end reaches to the newest line; one without a beginning is left out.
std::string trace(const std::vector<run_rows>& runs);

}  // namespace tofud::exports
