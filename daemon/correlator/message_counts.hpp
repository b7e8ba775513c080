// What a fold has read, counted by kind: for metrics.
#pragma once

#include "protocol/ui/message.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

namespace tofud::correlator {

struct message_counts {
  static constexpr std::size_t types = std::variant_size_v<ui::message>;

  std::array<std::uint64_t, types> by_type{};  // in the order of ui::message
  std::uint64_t text = 0;                      // lines that are no message
  std::uint64_t too_long = 0;                  // lines that were skipped
  std::uint64_t full_runs = 0;                 // runs that got no more rows
  std::uint64_t contradictions = 0;            // operations that began before their order let them

  std::uint64_t malformed() const;
  /// What OpenTofu prints as `type`, or what stands for a type that is unknown or not there.
  static std::string_view name(std::size_t type);
};

}  // namespace tofud::correlator
