// `tofud run -- CMD…`, and tofud under the name of tofu.
#pragma once

#include "daemon/cli/command.hpp"
#include "daemon/keeper/original_signals.hpp"

namespace tofud::cli {

/// `argv` lives as long as the program. What stands behind the first `--` is the command, and no
/// option of ours.
void add_run(command& line, int argc, const char* const* argv,
             const keeper::original_signals& signals);

/// How many of the arguments are tofud's own: those before a `--` that `run` cuts off.
int own_arguments(int argc, const char* const* argv);

/// Whether this program was started by a link named `tofu` or `terraform`.
bool is_shim(const char* program);

/// Does what the next program of that name in PATH would do, followed where it streams.
int run_shim(int argc, const char* const* argv, const keeper::original_signals& signals);

}  // namespace tofud::cli
