// Reads of a past moment: a run and its rows as they stood, as a document and as lines of the feed.
#pragma once

#include "daemon/api/long_reads.hpp"
#include "daemon/api/run_reads.hpp"
#include "daemon/fanout/subscriber.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"
#include "daemon/pipeline/rows_at.hpp"

#include <functional>
#include <string>

namespace tofud {

/// `{"run":{…},"rows":[…]}`: the stream is folded once more, up to there. 400: `at` is no moment.
http::response document_at(const readable_run& read, const std::string& at, long_reads& reads,
                           const past_estimate_maker& expected);

/// What is answered to `GET /v1/stream?run=RUN&at=`: what a subscriber would have held then, and
/// nothing of what came after it. `admitted` is what the hub said to it.
http::response lines_at(const readable_run& read, fanout::admission admitted, const std::string& at,
                        long_reads& reads, const past_estimate_maker& expected);

}  // namespace tofud
