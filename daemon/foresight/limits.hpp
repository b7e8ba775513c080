// Limits of daemon/foresight, each with its reason.
#pragma once

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Addresses that the history is asked about at once: some twenty milliseconds of its thread.
inline constexpr std::size_t usual_asked = 500;
/// Between two questions: people see no difference, and a plan of 20,000 resources is asked about
/// within seconds.
inline constexpr std::chrono::milliseconds usual_asked_every{100};

/// Between two estimates of a run: who reads a number does not want it to flicker.
inline constexpr std::chrono::milliseconds estimated_every{500};
/// All estimates of a process together take one part in so many of its loop's time: with sixty
/// large runs each is told less often, and nobody waits longer for an answer.
inline constexpr int estimates_share = 20;
/// Operations at once where nobody said how many: OpenTofu's own default for -parallelism.
inline constexpr std::size_t usual_slots = 10;
/// Operations that are named of a critical path, and of what runs.
inline constexpr std::size_t path_named = 20;

/// Estimates of one run that are remembered until it is judged, at least half of so many at any
/// time: the last said at a quarter of its time is then as old as the 256th part of it at most.
inline constexpr std::size_t said_remembered = 512;

/// Runs of which it is remembered what is usual, for who looks at them moment by moment, and how
/// long: a history says something else after a few runs more.
inline constexpr std::size_t past_usual_runs = 4;
inline constexpr std::chrono::minutes past_usual_kept{5};
/// About what one of them takes in memory for each operation.
inline constexpr std::size_t past_usual_bytes = 250;

/// About what a forecast of an address takes in memory, with its place in the index by address.
inline constexpr std::size_t forecast_bytes = 200;

}  // namespace tofud::limits
