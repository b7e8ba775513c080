// `GET /v1/history?addr=&stack=&type=&limit=`: how long operations took, and how they ended.
#pragma once

#include "daemon/access/principal.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/http/router.hpp"
#include "protocol/history/report.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <functional>

namespace tofud {

/// Calls back on the loop, now or later, with what he may see who asks.
using history_finder =
    std::function<void(history::report_query, const access::principal& by,
                       std::function<void(text::result<history::report>)> found)>;

/// Answers as history/answer.hpp has it; 400 for what can't be asked, 503 where the disk fails.
void add_history_route(http::router& routes, history_finder find);

}  // namespace tofud
