// The name of a run: when it began and four random digits, as in `20261121T0312-7f3a`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::spool {

/// Can be read aloud and sorts by time (UTC, to the minute).
std::string run_id(std::chrono::system_clock::time_point begin, std::uint16_t digits);

bool is_run_id(std::string_view text);

/// The minute with which an id begins; nothing: it is no run's id, or its digits are no time.
std::optional<std::chrono::system_clock::time_point> minute_of(std::string_view id);

std::uint16_t random_digits();

}  // namespace tofud::spool
