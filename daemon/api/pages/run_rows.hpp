// Runs in lines, for lists of them.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::pages {

/// Of all stacks, beside `/`; of one, whose name is not said again, in a directory below it.
enum class rows_of : std::uint8_t { all_stacks, one_stack };

/// A table with a line and one link a run, as they come.
std::string runs_table(const std::vector<feed::run_view>& runs, ui::time_point now, rows_of shown);

/// From its begin to its end, or to what was heard last; nothing while it goes on.
std::optional<std::chrono::microseconds> time_taken(const feed::run_view& run);

/// HTML of who the sender says it was: whoever has a token of scope ingest can say anything.
std::string who_words(const feed::run_view& run);

/// HTML of a status: its sign and its word.
std::string state_words(feed::run_status status);

/// HTML of a stack's name: the last part is strong, since it tells stacks apart.
std::string stack_words(std::string_view whole);

}  // namespace tofud::pages
