// `tofud run`: a command with its own terminal, followed by what it writes into a file.
#pragma once

#include "daemon/keeper/original_signals.hpp"
#include "daemon/keeper/signal_relay.hpp"
#include "daemon/keeper/spool_writer.hpp"
#include "daemon/keeper/supervisor.hpp"
#include "daemon/keeper/users_file.hpp"
#include "daemon/keeper/wrapped_child.hpp"

#include <functional>
#include <optional>

namespace tofud::keeper {

struct wrapped_plan {
  child_plan child;
  worker_command worker;
  std::optional<users_file> file;  // its stream is copied from there; else tofu writes the spool
  /// Its stdout is the stream, and goes on to ours through a pipe and the keeper's ring: for a disk
  /// that has little room, where what tofu writes into a file would be missing in what it prints.
  bool through_us = false;
  /// Called once the command is over and what the worker has to print of it is printed, with the
  /// command's exit status, in a thread beside the caller's; before follow_command returns. Empty:
  /// there is nothing to do. Must not throw.
  std::function<void(int status)> afterwards{};
};

/// Starts the command and a worker beside it, and passes on the signals that are meant for it.
/// Returns the command's exit status as a shell would say it, once it has ended and what it printed
/// is shown. Nothing that becomes of tofud touches the command: it writes into a file. Nothing is
/// returned if there was not even the memory to begin; the command has not been started then.
///
/// `relay` was made before any thread; `spool` is on disk.
std::optional<int> follow_command(wrapped_plan& plan, spool_writer& spool,
                                  const original_signals& signals, signal_relay& relay) noexcept;

}  // namespace tofud::keeper
