// Reads of a run as a document for other programs.
#pragma once

#include "daemon/api/run_reads.hpp"
#include "daemon/http/router.hpp"

namespace tofud {

/// `/v1/runs/ID/export?format=csv|junit|trace|md`, which browsers keep as a file.
void add_export_reads(http::router& routes, const run_finder& find, long_reads& reads);

}  // namespace tofud
