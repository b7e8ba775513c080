// `tofu … -json | tofud`, which is tofud without a command.
#pragma once

#include "daemon/cli/command.hpp"
#include "daemon/keeper/supervisor.hpp"
#include "daemon/local/view_options.hpp"

namespace tofud::cli {

/// `argv` lives as long as the program.
void add_pipe(command& line, const char* const* argv);

/// The workers of a keeper are this program, and are told `view`.
void tell_worker(keeper::worker_command& worker, const char* program, const view_options& view);

/// The argument that makes a worker of this program.
inline constexpr const char* worker_argument = "worker-of-the-pipe";

/// The keeper's child, never typed by a person.
void add_worker(command& line);

/// Whether these arguments may start the pipe, looked at before anything else is done: from then on
/// signals are ignored.
bool may_be_pipe(int argc, const char* const* argv);

}  // namespace tofud::cli
