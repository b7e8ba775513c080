// The `@timestamp` of a UI message, as printed by go-hclog: `2006-01-02T15:04:05.000000Z07:00`.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::ui {

/// Microseconds since the epoch, UTC.
using time_point = std::chrono::sys_time<std::chrono::microseconds>;

/// Reads an RFC 3339 time with up to nine fraction digits (more than six are cut) and `Z` or an
/// offset. Nothing on anything else, dates that do not exist included.
std::optional<time_point> parse_timestamp(std::string_view text);

/// Appends `2026-11-21T03:12:06.410000Z`: always UTC, always six digits.
void append_timestamp(std::string& out, time_point time);

}  // namespace tofud::ui
