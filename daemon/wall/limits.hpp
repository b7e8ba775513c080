// Limits of daemon/wall, each with its reason.
#pragma once

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// A forwarder with nothing to send says so every 15 s; four of those missed, and nobody is there.
inline constexpr std::chrono::seconds no_contact_after{60};

/// A runner that is gone for so long does not come back by itself; a resume undoes it in any case.
inline constexpr std::chrono::minutes contact_lost_after{15};

/// A card looks at so many of the newest runs of its stack, each kind apart. Nobody waits for a
/// plan or mourns a failure with a hundred runs after it, and a change costs no more than this.
inline constexpr std::size_t runs_of_a_card = 100;

/// Plans that are looked through for drift, until one says that there is none, or the last apply:
/// those of branches without a pull request are among them.
inline constexpr std::size_t drift_plans = 1'000;

/// What a summary of a stack counts: runs that began within this time, and so many at most. A stack
/// that is planned every half hour has that many.
inline constexpr std::chrono::days summed_days{30};
inline constexpr std::size_t summed_runs = 1'500;

/// Stamps of one machine that are compared: a lock is dated by a library, a line by another.
inline constexpr std::chrono::seconds stamps_apart{1};

/// Of one field of a lock's description; real ones are names, paths and identifiers.
inline constexpr std::size_t lock_field_bytes = 512;

}  // namespace tofud::limits
