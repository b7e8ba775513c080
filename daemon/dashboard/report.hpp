// The page as one file with its rows inside: nothing is loaded, nobody is asked.
#pragma once

#include "daemon/dashboard/assets.hpp"

#include <string>
#include <string_view>

namespace tofud::dashboard {

/// `rows` are lines of the feed, one JSON object each with '\n', as a subscriber gets them, so
/// masked as they are. `cut` says what is missing, for people; empty: nothing. Nothing in either
/// can end the element it stands in.
std::string report(const asset& script, const asset& style, std::string_view rows,
                   std::string_view cut);

}  // namespace tofud::dashboard
