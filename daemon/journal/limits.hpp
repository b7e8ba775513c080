// Limits of daemon/journal, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// Newest runs of every stack that retention by number or bytes removes last of all.
inline constexpr std::size_t retained_of_a_stack = 5;
/// A run that nobody ended and that nothing came of for so long is kept no longer than those that
/// are over: whoever still has its stream sends it again from its first byte.
inline constexpr std::chrono::hours abandoned_after{24};
/// In the first look after a start nothing is removed for its age if more than this part of all
/// runs, in percent, would go: the clock of a machine that just booted may be wrong.
inline constexpr std::size_t retained_jump_percent = 10;

/// Of header.json that is read: labels of a CI job and a stack have a few kilobytes.
inline constexpr std::size_t journal_header_bytes = 256 * kib;

/// A finished stream is compressed in slices of this size on the thread that also brings new bytes
/// to disk: a slice takes some five milliseconds, about as long as a disk takes to answer.
inline constexpr std::size_t journal_slice_bytes = 256 * kib;

/// Files that are brought to disk at the same time. The kernel answers them with one flush of the
/// disk; measured with 200 files, more than eight gain nothing.
inline constexpr std::size_t journal_syncs = 8;

/// A compressed stream is a chain of gzip members, each of so much of the stream: whoever reads
/// from the middle unpacks at most one for nothing, some four milliseconds.
inline constexpr std::uint64_t gzip_member_bytes = 1 * mib;

/// Of a backup, read and written at a time.
inline constexpr std::size_t copied_bytes = 1 * mib;
/// Of a backup's manifest that is read: some hundred bytes a file, so a quarter of a million runs.
inline constexpr std::size_t manifest_bytes = 256 * mib;

/// Operations written to the history at once: some five milliseconds, while bytes wait.
inline constexpr std::size_t history_piece = 500;

/// Threads that help to look at runs when a daemon starts, and for how many runs it takes one.
inline constexpr std::size_t recoverers = 3, recovered_by_thread = 256;

}  // namespace tofud::limits
