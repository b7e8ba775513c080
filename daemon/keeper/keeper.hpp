// The keeper of the pipe: the process that reads tofu's stdout and must never stop doing so.
#pragma once

#include "daemon/keeper/limits.hpp"
#include "daemon/keeper/spool_writer.hpp"
#include "daemon/keeper/supervisor.hpp"
#include "daemon/spool/spool_place.hpp"

#include <cstddef>
#include <string>
#include <unistd.h>

namespace tofud::keeper {

struct keeper_options {
  std::string state_dir;  // empty: not given
  spool::environment env = spool::process_environment();
  spool_caps caps;
  std::size_t ring_bytes = limits::ring_bytes;
  worker_command worker;
  int input = STDIN_FILENO;
};

/// The first thing main does: every signal that a process may ignore, and every timer that was set
/// before exec. A terminal's Ctrl-C reaches tofu and tofud alike: whoever of them left first would
/// take the pipe from tofu in its graceful stop. Only Ctrl-Z and fg stay, which are for the whole
/// job. Inherited by workers.
void ignore_signals() noexcept;

/// Keeps the pipe: moves bytes from stdin to a spool, runs a worker that shows them, starts it
/// again when it dies. Returns the run's exit status, after the end of stdin and never before.
int keep(const keeper_options& options) noexcept;

}  // namespace tofud::keeper
