// What the journal's index has of the runs of a stream: their views, and what their cards know.
#pragma once

#include "daemon/journal/kept_run.hpp"
#include "daemon/registry/run_registry.hpp"
#include "daemon/wall/run_facts.hpp"
#include "protocol/feed/row.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace tofud::serve {

/// Of runs of one stream, of which there is at least one; without what the stream is.
journal::indexed_run indexed(const std::vector<registry::shown_run*>& runs);

/// The views of an indexed run, with the facts of each; nothing if they do not tell how it ended.
using views_and_facts = std::vector<std::pair<feed::run_view, wall::run_facts>>;
views_and_facts views_in(std::string_view lines);
/// The same of each; of many, threads help and the caller waits, so it is for a start.
std::vector<views_and_facts> views_of_each(const std::vector<journal::indexed_run>& known);
/// The same of one that may go on.
views_and_facts views_so_far_in(std::string_view lines);

}  // namespace tofud::serve
