// Joins the gate with the listener: what it lets through, what browsers see of a refusal.
#pragma once

#include "daemon/access/gate.hpp"
#include "daemon/http/listener.hpp"

#include <string>

namespace tofud::serve {

/// The gate's answer, as a page to log in for a browser that asked for one. `by` outlives it.
http::request_check doorkeeper(access::gate& by);

/// The page to log in, with status 401. `next` is where to go on to, below `base`.
http::response login_page(const std::string& base, std::string next, std::string problem);

}  // namespace tofud::serve
