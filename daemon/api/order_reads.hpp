// What comes before what in the apply of a run, for who draws it.
#pragma once

#include "daemon/api/run_reads.hpp"
#include "daemon/http/router.hpp"

namespace tofud {

/// `/v1/runs/ID/order`: blocks and what is before each (protocol/order/blocks.hpp), from the plan
/// and the configuration that are attached. Without a plan each block of the configuration is made.
/// How far each block is, the rows of its resources say.
void add_order_reads(http::router& routes, const run_finder& find, long_reads& reads);

}  // namespace tofud
