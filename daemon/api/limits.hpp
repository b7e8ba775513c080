// Limits of daemon/api, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// What one document of a plan may take to draw, on a thread of its own: a hundred of the longest
/// lists above. Beyond it the answer is an error.
inline constexpr std::chrono::seconds drawing_time{20};
/// Drawn answers that are kept, since every viewer of a run asks for the same ones.
inline constexpr std::size_t drawn_answers = 64;
inline constexpr std::size_t drawn_answers_bytes = 64 * mib;

/// Rows that are copied in one turn of the loop for a document of a run: some milliseconds.
inline constexpr std::size_t rows_copied = 4096;

/// Runs that `tofud ls` lists without --all: two screens, and a day of a busy person.
inline constexpr std::size_t listed_runs = 50;

/// Stacks in one answer, usually and at most: a company's; each has a KiB.
inline constexpr std::size_t listed_stacks = 100, listed_stacks_most = 1'000;
/// Of these, in one turn of the loop: each looks at limits::summed_runs runs at most.
inline constexpr std::size_t stacks_in_a_turn = 20;

/// Answers under way that hold much of a run or plan for one client each. More are told to come
/// again, since every one takes up to a hundred megabytes.
inline constexpr std::size_t large_reads = 8;
inline constexpr std::chrono::seconds large_read_again{2};

}  // namespace tofud::limits
