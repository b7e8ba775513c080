// The body of `PATCH /v1/runs/ID/lines`.
#pragma once

#include "daemon/http/coroutine.hpp"
#include "daemon/serve/ingested_run.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tofud::serve {

/// What the head of the request says.
struct patch_head {
  std::uint64_t offset = 0;  // of its bytes in the stream
  bool completes = false;    // the stream ends with them
  std::size_t events = 0;    // and so many events have to be there
};

/// Stores the bytes when they are whole; while one request adds to a run, others wait for
/// limits::busy_wait. Gives the answer.
net::task<http::response> take_patch(std::shared_ptr<ingested_run> run, patch_head head,
                                     std::shared_ptr<http::body> body);

}  // namespace tofud::serve
