// Limits of daemon/keeper, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// What the kernel lets an unprivileged process ask of a pipe (/proc/sys/fs/pipe-max-size).
inline constexpr std::size_t pipe_bytes = 1 * mib;

/// Between the thread that drains stdin and the one that writes the spool: about a second of the
/// fastest stream seen, so that a disk may pause that long.
inline constexpr std::size_t ring_bytes = 64 * mib;

/// A run that prints more is no run; a full disk would hurt the apply.
inline constexpr std::uint64_t spool_bytes = 4 * gib;

/// A spool in memory only, when no place on disk is writable.
inline constexpr std::uint64_t memory_spool_bytes = 256 * mib;

/// Newest bytes kept in memory in any case, so that the status can still be inferred after storing
/// had to stop: the end of a stream (diagnostics, summary, outputs) fits.
inline constexpr std::size_t tail_bytes = 1 * mib;

/// A worker that dies more often has a bug that one more start won't cure.
inline constexpr int worker_restarts = 3;

/// A worker that folded nothing for this long after the end of the stream counts as dead.
inline constexpr std::chrono::seconds worker_stall{10};

/// A signal sent to tofud alone is passed on to tofu after this long, unless the stream shows that
/// tofu has it already: OpenTofu prints its answer within milliseconds, and CI systems give 7.5 s.
inline constexpr std::chrono::milliseconds forward_after{500};

/// The page's address is printed before tofu's own text if the worker has it by then.
inline constexpr std::chrono::milliseconds first_line_wait{300};

/// A worker that stands still for this long is not waited for to print what comes before the text
/// of a plan.
inline constexpr std::chrono::seconds retold_wait{10};

/// A worker's document: paths, labels and a few words. More is no document of ours.
inline constexpr std::size_t told_bytes = 1 * mib;

}  // namespace tofud::limits
