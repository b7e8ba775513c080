// A command whose output is ours to print.
#pragma once

#include "daemon/keeper/original_signals.hpp"
#include "daemon/keeper/signal_relay.hpp"
#include "daemon/keeper/wrapped_child.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace tofud::keeper {

/// Runs a command and hands on what it prints on its standard output, piece by piece, until both it
/// and its output have ended. Signals that are meant for it are passed on. Returns its exit status
/// as a shell would say it; nothing if it could not be started.
std::optional<int> print_child(child_plan plan, const original_signals& signals,
                               signal_relay& relay,
                               const std::function<void(std::string_view)>& take);

}  // namespace tofud::keeper
