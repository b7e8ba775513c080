// Limits of protocol/upload, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// Body of a PUT, compressed or not: gzip makes a tenth of a plan.
inline constexpr std::uint64_t attachment_body_bytes = 32 * mib;

/// Bytes of one PATCH: large enough that its fsync and its answer cost nothing beside it, small
/// enough to be sent again.
inline constexpr std::size_t patch_bytes = 1 * mib;

/// A forwarder with nothing to send says so every so often.
inline constexpr std::chrono::seconds keep_alive{15};

/// A daemon may ask to hear from its forwarders at most so seldom; else a lost one shows too late.
inline constexpr std::chrono::seconds keep_alive_longest{60};

/// `Retry-After` beyond this is a mistake: nobody plans an outage of runs for longer.
inline constexpr std::chrono::seconds retry_after_longest{3600};

/// Longest address of a page that an answer may tell: what a request line can hold.
inline constexpr std::size_t told_url_bytes = 16 * kib;

/// The name that a daemon gives a run, and what of its sentences is passed on to people.
inline constexpr std::size_t run_name_bytes = 128;
inline constexpr std::size_t told_message_bytes = 300;

/// Durations in the answer to POST /v1/runs, the slowest of the stack: more nobody reads on a
/// terminal. An answer of a daemon has limits::answer_bytes at most.
inline constexpr std::size_t stack_usual_most = 200;
inline constexpr std::size_t stack_usual_bytes = 32 * kib;

/// Operations at once that a sender may speak of: more run nowhere.
inline constexpr std::int64_t parallelism = 100'000;

}  // namespace tofud::limits
