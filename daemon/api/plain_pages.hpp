// The plain pages over HTTP: what they share, and what they are asked for.
#pragma once

#include "daemon/api/pages/run_list.hpp"
#include "daemon/http/router.hpp"

#include <string>

namespace tofud {

/// `/plain.css`, which `/runs` and `/wall/plain` load.
void add_plain_style(http::router& routes);

/// A plain page as an answer: asked for again each time, under a policy that runs no script.
http::response plain_page(std::string html);

/// What the form of `/runs` sends. Browsers write a space as `+` there, unlike anybody who asks
/// `/v1/runs`. The cursor is the parameter `cursor`, as there.
pages::run_search search_of(const http::request& asked);

}  // namespace tofud
