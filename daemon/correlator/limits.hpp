// Limits of daemon/correlator, each with its reason.
#pragma once

#include <cstddef>

namespace tofud::limits {

/// Runs told apart in one stream. A script that loops prints a handful; more would only cost
/// memory.
inline constexpr std::size_t runs_per_stream = 1000;

/// Rows kept of one run: five times the largest state anyone has written about in public.
inline constexpr std::size_t rows_per_run = 1'000'000;

/// Of one resource: planned actions, steps together with their provisioners, and diagnostics that
/// name it. OpenTofu has a few for the current object and for each deposed one. All of them are
/// looked through for each line about the resource, and written each time its row goes out.
inline constexpr std::size_t parts_of_resource = 256;

/// Of a text of a row that may be one of a few: longer ones are ids, which differ.
inline constexpr std::size_t word_bytes = 24;

/// Providers, and owners of resources, that are remembered of a run: a root module has a few.
inline constexpr std::size_t names_of_a_run = 20;

/// Of the error that a run's view names: what a card has room for. A view is sent with each flush.
inline constexpr std::size_t failure_summary_bytes = 200;

}  // namespace tofud::limits
