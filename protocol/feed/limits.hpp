// Limits of protocol/feed, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Largest row on the wire; longer ones are cut and say so. Half a frame, so that a frame holds
/// one.
inline constexpr std::size_t row_bytes = 32 * kib;

/// Largest WebSocket message: fits a send buffer, and a viewer gets control back often.
inline constexpr std::size_t frame_bytes = 60 * kib;

/// Longest tick in which changes are sent together, reached at several hundred subscribers; no eye
/// sees 25 ms.
inline constexpr std::chrono::milliseconds tick_max{25};

/// Lines (log, text) kept in memory per run, encoded; older ones are read from the spool. And those
/// of all runs of a daemon: of a thousand that print much, each keeps its newest.
inline constexpr std::size_t lines_bytes = 64 * mib;
inline constexpr std::size_t all_lines_bytes = 1 * gib;

/// What a subscriber may send: control frames and a close. Anything longer is closed with 1009.
inline constexpr std::size_t client_message_bytes = 4 * kib;

/// Filter values in one request; a page needs a few.
inline constexpr std::size_t filter_values = 64;

/// Labels of a run; of a label that somebody gives, of an id and of other short words.
inline constexpr std::size_t labels = 64;
inline constexpr std::size_t given_word_bytes = 1 * kib;
inline constexpr std::size_t stack_bytes = 4 * kib;

/// Longest text kept in memory of a diagnostic, an output or a message. No row holds more; the
/// journal has all of it.
inline constexpr std::size_t kept_text_bytes = 64 * kib;

/// A run that is over and whose lines all came so much later than they were printed was kept and
/// sent later; a clock that is so wrong would long have broken TLS and tokens.
inline constexpr std::chrono::minutes late_upload{15};

/// Runs of one answer of the index: a page of a list, and some hundred kilobytes of JSON.
inline constexpr std::size_t listed_views = 500;

}  // namespace tofud::limits
