// Joins the gate with the listener: what it lets through, what browsers see of a refusal.
#pragma once

#include "daemon/access/gate.hpp"
#include "daemon/http/listener.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tofud::serve {

/// Names of the identity providers where people may log in.
using login_choices = std::function<std::vector<std::string>()>;

/// The gate's answer, as a page to log in for a browser that asked for one. `by` outlives it.
http::request_check doorkeeper(access::gate& by, login_choices choices);

/// The page to log in, with status 401. `next` is where to go on to, below `base`.
http::response login_page(const std::string& base, std::string next, std::string problem,
                          const login_choices& choices);

}  // namespace tofud::serve
