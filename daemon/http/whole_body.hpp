// Gathers a body for handlers that want it whole.
#pragma once

#include "daemon/http/body_taker.hpp"

#include <functional>
#include <string>

namespace tofud::http {

/// The caller bounds the body; `handler` gets the request as it was at the head.
body_opener whole_body_opener(
    std::function<void(const request&, std::string body, std::function<void(response)> answer)>
        handler);

}  // namespace tofud::http
