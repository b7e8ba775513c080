// Limits of daemon/oidc, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// A token with a few hundred groups of a user; a request's header has no more room.
inline constexpr std::size_t web_token_bytes = 16 * kib;

/// Values in a token, those of its lists and objects counted one by one: as many groups as fit into
/// it.
inline constexpr std::size_t web_token_claims = 1'000;

/// A value that a pattern is compared with or that a page shows. Longer ones count as not there.
inline constexpr std::size_t claim_bytes = 1 * kib;

/// Clocks of two machines that are both set by NTP differ by less.
inline constexpr std::chrono::seconds clock_skew{60};

/// Providers have a handful of keys, and some more while they change them.
inline constexpr std::size_t provider_keys = 100;

/// Below it a key can be factored; above it one signature takes milliseconds of the loop.
inline constexpr std::size_t rsa_bits_least = 2'048;
inline constexpr std::size_t rsa_bits_most = 8'192;

/// A document of 100 keys with their certificates.
inline constexpr std::size_t provider_answer_bytes = 512 * kib;

/// For each of the two documents, from the connection to the last byte.
inline constexpr std::chrono::milliseconds provider_wait{10'000};

/// Keys that could not be had again are believed for so long: an outage of a provider must not keep
/// applies from being seen, and a key that was withdrawn must not be good for ever.
inline constexpr std::chrono::hours provider_keys_age{24};

/// When they are asked for again, in time for an outage of half a day.
inline constexpr std::chrono::hours provider_keys_again{12};

/// Between two requests for the keys of one provider, whatever tokens ask for: anybody can name a
/// key that there is not.
inline constexpr std::chrono::seconds provider_asked_every{60};
/// As long as there are none yet, so that a provider that starts beside the daemon is not missed.
inline constexpr std::chrono::seconds provider_asked_first{5};

/// Tokens that were verified and are remembered, since a job asks more than once with each: twice
/// as many as runs may go on. With all their claims they are 32 MiB at most.
inline constexpr std::size_t verified_tokens = 2'000;

/// Of what a login is derived from, as of any secret of tofud.
inline constexpr std::size_t login_seed_bytes = 32;
/// A path of ours that waits in a cookie while somebody logs in; browsers keep 4 KiB of one.
inline constexpr std::size_t login_next_bytes = 1'024;
/// Somebody looks for a second factor, and finds it.
inline constexpr std::chrono::minutes login_takes{10};
/// Requests to providers that are under way at once, since anybody may begin a login.
inline constexpr std::size_t logins_under_way = 32;
/// After which a login's groups are asked again: a working day. Who has left the company is out
/// the next morning.
inline constexpr std::chrono::hours login_age{8};
/// Buttons on the page to log in; a digit names one.
inline constexpr std::size_t login_providers = 10;

/// Of a configuration: what somebody still reads.
inline constexpr std::size_t oidc_rules = 500;

}  // namespace tofud::limits
