// Limits of daemon/stack, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// `tofu version` takes a tenth of a second; a program that says nothing for so long is followed by
/// nobody, and starts anyway.
inline constexpr std::chrono::milliseconds version_wait{5'000};
inline constexpr std::size_t version_bytes = 64 * kib;

/// Largest plan file that is hashed, which takes a tenth of a second: those of a hundred thousand
/// resources have less.
inline constexpr std::uint64_t plan_file_bytes = 64 * mib;

/// Files that say where a command runs: git's config, the backend's settings, a process's
/// environment. Real ones have a few kilobytes.
inline constexpr std::size_t described_bytes = 1 * mib;

/// Of a label that a CI system's variables give: its URLs have two hundred characters. A longer one
/// is left out, since half a URL leads nowhere.
inline constexpr std::size_t label_bytes = 1 * kib;

}  // namespace tofud::limits
