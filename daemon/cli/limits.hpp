// Limits of daemon/cli, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// Types listed of one document; the largest provider has some three thousand.
inline constexpr std::size_t schema_types = 100'000;

/// Bytes of spools that `tofud ls` folds without --all: some seconds. Runs beyond are listed by
/// name.
inline constexpr std::uint64_t listed_bytes = 1 * gib;

/// Largest that an apply waits for before it starts, some ten milliseconds; a larger one is hashed
/// beside it.
inline constexpr std::uint64_t plan_file_first_bytes = 8 * mib;

/// `tofu show -json` and `tofu providers schema -json` start providers and ask a backend: seconds,
/// a minute on a busy machine. Nobody waits for them but a page's detail.
inline constexpr std::chrono::seconds attachment_wait{180};

/// Entries that `tofud history` prints without --all: a screen of them.
inline constexpr std::size_t history_lines = 20;
/// Streams of a directory that `tofud history import` reads: an hour's work of a few seconds each.
inline constexpr std::size_t imported_streams = 10'000;

/// Files in conf.d: a machine's roles have a few.
inline constexpr std::size_t config_files = 100;

/// Addresses of a critical path, and of what is taken away, in a pull request's comment: a reviewer
/// reads no more, and the plan needs the room.
inline constexpr std::size_t foretold_named = 20;

/// What agents are answered at once, usually and at most: rows of runs have half a KiB, entries of
/// the history one, and all of it has to fit limits::mcp_answer_bytes.
inline constexpr std::size_t mcp_runs_usual = 10, mcp_runs = 30;
inline constexpr std::size_t mcp_history_usual = 5, mcp_history = 20;
inline constexpr std::size_t mcp_order_steps = 50;
/// Lines of provisioners, and their bytes.
inline constexpr std::size_t mcp_lines_usual = 40, mcp_lines = 200;
inline constexpr std::size_t mcp_lines_bytes = 24 * kib;

}  // namespace tofud::limits
