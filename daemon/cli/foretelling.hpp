// What this machine remembers of an apply that has not begun, and what it expects by that.
#pragma once

#include "daemon/cli/command.hpp"
#include "daemon/cli/order_sources.hpp"
#include "daemon/history/usual.hpp"
#include "protocol/order/foretold.hpp"
#include "protocol/order/order.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tofud::cli {

/// Whose earlier runs tell. Empty: $TOFUD_STACK or that of the directory; the usual place.
struct memory_source {
  std::string stack, state_dir;
};

/// Adds its options; `to` outlives the command.
void add_memory_source(command& words, memory_source& to);

/// How long each operation usually takes, in their order; nothing if the memory can't be read,
/// which is said.
std::optional<std::vector<std::optional<history::usual>>> usual_times_of(
    const std::string& stack, const std::string& state_dir, const order::order& of);

/// `directory` of the root module, empty: the current one. `slots`: operations at once. The sources
/// have a plan. Nothing if the memory can't be read, which is said.
std::optional<order::foretold_apply> foretell(const order_sources& from,
                                              const memory_source& memory,
                                              const std::string& directory, std::uint64_t slots);

}  // namespace tofud::cli
