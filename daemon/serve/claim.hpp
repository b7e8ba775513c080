// Who may send a run: whoever knows its secret.
#pragma once

#include "daemon/http/message/response.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/sender.hpp"

#include <memory>

namespace tofud::serve {

/// The run a request is about, if its sender may send it; else the answer.
struct claim {
  std::shared_ptr<ingested_run> run;
  http::response refusal;
};

/// Whether a run without a secret (a whole stream, sent by curl) is anybody's who may ingest.
enum class without_secret : bool { refused, allowed };

/// The run is that of the first `*` in the route's path.
claim claim_of(kept_streams& runs, const http::request& asked, const sender_finder& sender,
               without_secret streams = without_secret::refused);

/// Who may send the run further that the request is about, known by its secret alone; null: nobody.
std::shared_ptr<const access::principal> sender_by_secret(kept_streams& runs,
                                                          const http::request& asked);

}  // namespace tofud::serve
