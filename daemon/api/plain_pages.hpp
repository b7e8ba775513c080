// The plain pages over HTTP: what they share, and what they are asked for.
#pragma once

#include "daemon/api/pages/html.hpp"
#include "daemon/api/pages/run_list.hpp"
#include "daemon/api/pages/stack.hpp"
#include "daemon/http/router.hpp"

#include <string>
#include <string_view>

namespace tofud {

/// `/plain.css` and `/runs.js`, which plain pages load.
void add_plain_files(http::router& routes);

/// A plain page as an answer: asked for again each time, under a policy that as a rule runs no
/// script.
http::response plain_page(std::string html, std::string_view policy = pages::page_policy());

/// The runs that the page of a stack shows.
feed::run_query runs_of_stack(const std::string& name);

/// The page of a stack; 404 where no run of it is kept.
http::response stack_answer(const pages::stack_view& shown);

/// What the form of `/runs` sends. Browsers write a space as `+` there, unlike anybody who asks
/// `/v1/runs`. The cursor is the parameter `cursor`, as there.
pages::run_search search_of(const http::request& asked);

}  // namespace tofud
