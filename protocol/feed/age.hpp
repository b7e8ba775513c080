// How long ago something in a run was, by the clock of whoever looks.
#pragma once

#include "protocol/feed/limits.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <optional>

namespace tofud::feed {

enum class run_goes_on : bool { no, yes };

/// A stamp of a run as a time of ours. A run that is over and whose lines all came much later than
/// they were printed (limits::late_upload) was sent later: then its stamps are taken as they are.
/// A stamp of the future is none: it is moved back in any case.
ui::time_point by_our_clock(ui::time_point stamp,
                            const std::optional<std::chrono::microseconds>& offset,
                            run_goes_on live);

/// How long ago that was; never negative.
std::chrono::microseconds age(ui::time_point stamp,
                              const std::optional<std::chrono::microseconds>& offset,
                              run_goes_on live, ui::time_point now);

}  // namespace tofud::feed
