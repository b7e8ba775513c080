// Limits of protocol/order, each with its reason.
#pragma once

#include <cstddef>

namespace tofud::limits {

/// Looks at what new resources refer to, however indirectly, where something is removed: some
/// tenths of a second. What is new waits for fewer removals than it really does beyond it.
inline constexpr std::size_t order_looks = 5'000'000;

/// Looks at sets of 512 operations while it is found out what waits for what: some tenths of a
/// second. Beyond it nothing is said of that.
/// Those of count and for_each are looked at together.
inline constexpr std::size_t course_looks = 5'000'000;

/// Operations of one block that are named one by one where something waits for them; more are told
/// as the block. So a row changes six times at most for each block that it waits for.
inline constexpr std::size_t blockers_named = 5;

/// Names of what one row waits for, or is behind: a screenful.
inline constexpr std::size_t causes_named = 20;

/// Blocks that one row waits for of which some are named: as many as names. Of more it is told how
/// many operations there are, in powers of two, so that it changes seldom.
inline constexpr std::size_t blocks_told = 30;

/// Operations that began before they could, after which nothing of an order is believed: it is that
/// of another configuration.
inline constexpr std::size_t contradictions = 20;

/// Edges between blocks that are told to who draws them: some megabytes. A drawing of more is a
/// black area.
inline constexpr std::size_t block_edges = 100'000;

/// Durations that are drawn for one estimate of when an apply is over: some twenty milliseconds.
/// Of up to 650 operations 199 schedules, of 20,000 seven, which is enough where chance evens out.
inline constexpr std::size_t schedule_draws = 130'000;

}  // namespace tofud::limits
