// A moment as somebody types it who looks for runs.
#pragma once

#include "protocol/ui/timestamp.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud {

/// Which end of a day a bare date stands for.
enum class day_edge : bool { begin, end };

/// `2026-11-21T03:00:00Z` (RFC 3339), `2026-11-21 03:00`, `2026-11-21`, all UTC but for an offset,
/// or how long before `now`: `90m`, `24h`, `7d`, `2w`. Nothing on anything else, and on what lies
/// before 1970.
std::optional<ui::time_point> parse_typed_time(std::string_view text, day_edge edge,
                                               ui::time_point now);

/// Turns such a text into RFC 3339, and leaves one that is that already as it is. False: it is
/// none.
bool to_timestamp(std::string& text, day_edge edge, ui::time_point now);

/// What such a text may be, for a sentence.
inline constexpr std::string_view typed_times =
    "a time such as 2026-11-21T03:00:00Z, 2026-11-21 or 24h";

}  // namespace tofud
