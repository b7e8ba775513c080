// The `@timestamp` of a UI message, as printed by go-hclog: `2006-01-02T15:04:05.000000Z07:00`.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::ui {

/// Microseconds since the epoch, UTC.
using time_point = std::chrono::sys_time<std::chrono::microseconds>;

/// A moment or none, in the room of a moment: for what is kept of each step of each resource.
class optional_time {
 public:
  constexpr optional_time() = default;
  // NOLINTBEGIN(google-explicit-constructor): it is an optional one
  constexpr optional_time(std::nullopt_t) {}
  constexpr optional_time(time_point at) : at_{at} {}
  constexpr optional_time(const std::optional<time_point>& at) : at_{at.value_or(none)} {}
  constexpr operator std::optional<time_point>() const {
    return *this ? std::optional{at_} : std::nullopt;
  }
  // NOLINTEND(google-explicit-constructor)

  constexpr explicit operator bool() const { return at_ != none; }
  constexpr bool has_value() const { return at_ != none; }
  constexpr time_point operator*() const { return at_; }
  constexpr time_point value_or(time_point other) const { return *this ? at_ : other; }
  constexpr void reset() { at_ = none; }
  constexpr bool operator==(const optional_time&) const = default;
  constexpr bool operator==(const std::optional<time_point>& other) const {
    return *this == optional_time{other};
  }

 private:
  static constexpr time_point none = time_point::min();  // 290,000 years ago
  time_point at_ = none;
};

/// Reads an RFC 3339 time with up to nine fraction digits (more than six are cut) and `Z` or an
/// offset. Nothing on anything else, dates that do not exist included.
std::optional<time_point> parse_timestamp(std::string_view text);

/// Appends `2026-11-21T03:12:06.410000Z`: always UTC, always six digits.
void append_timestamp(std::string& out, time_point time);

}  // namespace tofud::ui
