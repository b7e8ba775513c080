// Limits of daemon/history, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// The newest operations that say what is usual: what was a year ago says little, and a p80 of
/// twenty is the fourth largest.
inline constexpr std::size_t usual_of = 20;
/// Of one address, looked at for those that are done: one that always fails ends the search.
inline constexpr std::size_t usual_looked_at = 200;
/// So many say what is usual; fewer do if nobody knows better.
inline constexpr std::size_t usual_enough = 3;
/// What other stacks say counts from so many stacks on: fewer would tell of one of them.
inline constexpr std::size_t usual_stacks = 3;

/// Operations that an answer without an address is made of, the newest: some fifteen milliseconds
/// of SQLite.
inline constexpr std::size_t history_read = 20'000;
/// Operations that are looked at for somebody who may see some of them, the newest: some fifty
/// milliseconds of SQLite (tests/bench/history_bench.cpp).
inline constexpr std::size_t history_filtered = 100'000;
/// The newest operations of a stack that a sender is told of: some milliseconds, while bytes wait.
inline constexpr std::size_t history_of_stack = 5'000;
/// Of them, of one action on one address of a stack.
inline constexpr std::size_t history_of_action = 1'000;
/// Addresses with an action in an answer. A person reads a page of them.
inline constexpr std::size_t history_entries = 200, history_entries_most = 1'000;
/// Types and refreshes in an answer, the slowest.
inline constexpr std::size_t history_slowest = 10;

/// Runs that say how good estimates are, the newest: what an old version said is not what this one
/// does.
inline constexpr std::size_t scored_runs = 200;

/// Operations that a machine remembers of its own runs. One takes 149 bytes with its indexes (40
/// runs of the same 1,000 addresses), so 60 MB; 258 where each address is new, so 105 MB.
inline constexpr std::uint64_t machine_operations = 400'000;
/// Resources of one run whose durations are remembered: a twentieth of that, so that no run pushes
/// out what the last `usual_of` of others say.
inline constexpr std::size_t remembered_resources = 20'000;
/// How long a run that has ended waits for others that write theirs: twenty at once take a second.
inline constexpr std::chrono::milliseconds machine_patience{5'000};
/// Of the file's pages in memory, while a run is remembered: five indexes and names are written at
/// places all over them, and with 2 MB, which SQLite takes by itself, each page is written and read
/// again many times.
inline constexpr std::uint64_t machine_cache_bytes = 32 * mib;
/// Operations in one statement: a third of the instructions less than one by one; with 100 another
/// hundredth.
inline constexpr std::size_t inserted_at_once = 32;
/// Operations that a machine writes at once, so that others get their turn.
inline constexpr std::size_t machine_piece = 2'000;

}  // namespace tofud::limits
