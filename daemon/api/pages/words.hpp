// How the plain pages say things.
#pragma once

#include "protocol/feed/row.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::pages {

/// "41 s", "5 min", "3 h", "2 d": one unit, as somebody says it who looks up at a wall.
std::string age_text(std::chrono::microseconds age);

/// A sign beside the word, so that a colour never stands alone: ✓ ✗ ▶ ! ?
std::string_view sign_of(feed::run_status status);

/// `1 failed`, `2 running`; a run that is over and one that goes on.
std::string counted(std::size_t count, std::string_view one, std::string_view more);

/// `+3 ~1 -2`, as the plan or the apply says; empty: nothing known.
std::string changes_text(const std::optional<feed::change_counts>& counts);

enum class time_detail : bool { minutes, seconds };

/// "2026-11-21 03:12 UTC", "2026-11-21 03:12:05 UTC".
std::string time_text(ui::time_point time, time_detail detail = time_detail::minutes);

}  // namespace tofud::pages
