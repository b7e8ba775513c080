// A moment of a stream: which of its lines had come by then.
#pragma once

#include "protocol/ui/timestamp.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>

namespace tofud::ui {

/// Seconds since the first stamp of the stream, or a time by the stream's own clock.
using moment = std::variant<double, time_point>;

/// `72.5`, or RFC 3339 (`2026-11-21T03:12:05Z`). Nothing on anything else, and on what is negative.
std::optional<moment> parse_moment(std::string_view text);

struct stream_prefix {
  std::size_t bytes = 0;         // whole lines, from the beginning
  std::optional<time_point> at;  // the moment; nothing: the stream has no stamp
};

/// All lines whose greatest stamp so far is not after the moment; lines without a stamp go with the
/// one before them. One look at each line up to there.
stream_prefix prefix_at(std::string_view stream, const moment& when);

}  // namespace tofud::ui
