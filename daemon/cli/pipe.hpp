// `tofu … -json | tofud`, which is tofud without a command.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// `argv` lives as long as the program; the keeper starts its workers with it.
void add_pipe(command& line, int argc, const char* const* argv);

/// The argument that makes a worker of this program; followed by the pipe's own arguments, or those
/// of `tofud run`.
inline constexpr const char* worker_argument = "worker-of-the-pipe";

/// The keeper's child, never typed by a person.
void add_worker(command& line);

/// Whether these arguments may start the pipe, looked at before anything else is done: from then on
/// signals are ignored.
bool may_be_pipe(int argc, const char* const* argv);

}  // namespace tofud::cli
