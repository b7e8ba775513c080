// The page as one file with its rows inside: nothing is loaded, nobody is asked.
#pragma once

#include "daemon/dashboard/assets.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud::dashboard {

/// What a plan changes.
struct plan_text {
  std::string_view name;      // what it is called, if no run belongs to it
  std::string_view rows;      // lines of `tofud show --json`, masked
  std::string_view run = {};  // the id of the run that it is of; empty: of none
};

/// What a page that is one file says. Nothing in rows, plan, `cut` and `server` can end the element
/// it stands in.
struct report_text {
  /// Lines of the feed, one JSON object each with '\n', as a subscriber gets them, so masked as
  /// they are.
  std::string_view rows;
  std::string_view cut;       // what is missing, for people; empty: nothing
  std::string_view server;    // name, version and build of who made it
  std::string_view licences;  // the asset: whose work the script is, which a copy of it must say
  std::optional<plan_text> plan = {};
};

std::string report(const asset& script, const asset& style, const report_text& text);

}  // namespace tofud::dashboard
