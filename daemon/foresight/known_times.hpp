// What a history knows of one operation, as an estimate needs it.
#pragma once

#include "protocol/feed/forecast.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/order/durations.hpp"
#include "protocol/order/order.hpp"

#include <chrono>
#include <optional>

namespace tofud::foresight {

feed::step_action action_of(const order::operation& what);

/// Of what is usual (null: nothing is known), and of what people wrote that it takes, which counts
/// as two values and is about what makes or changes something.
order::known_duration known_time(const feed::usual* usual,
                                 std::optional<std::chrono::seconds> expect,
                                 feed::step_action action);

}  // namespace tofud::foresight
