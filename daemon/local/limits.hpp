// Limits of daemon/local, each with its reason.
#pragma once

#include <chrono>

namespace tofud::limits {

/// When one tofud hands its viewers to the next, they come back within this long: the next one has
/// the port in a tenth of a second.
inline constexpr std::chrono::milliseconds handover_spread{500};

/// Runs that have ended stay on the page of another tofud for so long, so that who watched them
/// sees the end.
inline constexpr std::chrono::minutes ended_served{10};

/// A run that is over waits so long for what is to be attached to it: who typed the command waits,
/// too.
inline constexpr std::chrono::seconds attachment_farewell{2};

/// A worker that begins waits so long for a daemon to take its run: then it knows whether it serves
/// the page itself.
inline constexpr std::chrono::milliseconds daemon_wait{1'000};

/// After the end of the stream the rest is sent, at most this long; a daemon that never answered
/// gets less. Whoever waits for tofu waits for this, too.
inline constexpr std::chrono::milliseconds farewell{10'000};
inline constexpr std::chrono::milliseconds farewell_unanswered{1'000};

}  // namespace tofud::limits
