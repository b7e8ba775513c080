// The body of `PATCH /v1/runs/ID/lines`.
#pragma once

#include "daemon/http/body_taker.hpp"
#include "daemon/serve/ingested_run.hpp"
#include "daemon/serve/limits.hpp"

#include <cstdint>
#include <memory>

namespace tofud::serve {

/// Takes bytes that begin at `offset` of the stream and stores them when they are whole: while one
/// request adds to a run, others wait for limits::busy_wait. With `completes` the stream ends
/// there.
std::unique_ptr<http::body_taker> make_patch_body(std::shared_ptr<ingested_run> run,
                                                  std::uint64_t offset, bool completes);

}  // namespace tofud::serve
