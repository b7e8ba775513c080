// Limits of daemon/notify, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Errors that a message quotes: the first ones are the cause; the others are counted.
inline constexpr std::size_t told_errors = 3;
/// Of each text of a message: a channel is for reading at a glance, the page has the whole.
inline constexpr std::size_t told_text_bytes = 300;

/// Somebody may be asked to approve for so long before others are told.
inline constexpr std::chrono::minutes told_waiting_after{30};
/// A run takes too long beyond so many times the time in which four of five like it were over.
inline constexpr int told_overrun_times = 2;
/// How often runs that go on are looked at for these.
inline constexpr std::chrono::seconds told_looked_every{10};
/// What ended earlier is no news: the index was made again, or the daemon was off.
inline constexpr std::chrono::hours told_news{24};

/// Messages of one rule within this time are a burst from the fifth on: one message tells them all.
inline constexpr std::chrono::seconds told_burst{120};
inline constexpr std::size_t told_burst_from = 5;
/// Stacks that a message about a burst names.
inline constexpr std::size_t told_burst_names = 20;

/// Messages on disk that were not delivered: a day of an outage, with ten a minute. Beyond it the
/// oldest are given up.
inline constexpr std::size_t outbox_messages = 20'000;
/// Given up ones are kept for who retries them; the ids of delivered ones are, so that nothing is
/// told twice.
inline constexpr std::chrono::hours outbox_kept{30 * 24};

/// Between tries: from there on doubled, up to the longest.
inline constexpr std::chrono::seconds told_again_first{5};
inline constexpr std::chrono::seconds told_again_longest{3600};
/// After which a message is given up: what nobody could be told for a day is no news any more.
inline constexpr std::chrono::hours told_given_up{24};
/// Of Retry-After: beyond it the message is given up before.
inline constexpr std::chrono::hours told_retry_after{24};

/// For a target: name, connection, handshake, answer.
inline constexpr std::chrono::milliseconds target_wait{10'000};
inline constexpr std::size_t target_answer_bytes = 64 * kib;
/// For a command, which may send mail through a slow relay.
inline constexpr std::chrono::seconds command_wait{30};
/// Deliveries at once: one of each rule, and so many of all.
inline constexpr std::size_t deliveries = 4;

/// URLs and secrets, which stand in files.
inline constexpr std::size_t target_secret_bytes = 16 * kib;

}  // namespace tofud::limits
