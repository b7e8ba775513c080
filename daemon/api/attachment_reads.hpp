// Reads of what is attached to a run: what its plan changes, as rows (protocol/diff/README.md).
#pragma once

#include "daemon/api/run_reads.hpp"
#include "daemon/http/router.hpp"

namespace tofud {

/// `/v1/runs/ID/diff` (one resource, or a part of it) and `/v1/runs/ID/plan` (all of it, as rows or
/// as a comment in Markdown).
void add_attachment_reads(http::router& routes, const run_finder& find, long_reads& reads);

}  // namespace tofud
