// The command line.
#pragma once

#include "protocol/feed/row.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tofud {

enum class progress_mode : std::uint8_t { plain, json, none };

/// Where to listen: `--listen ADDR:PORT`, or the default port and what follows it.
struct listening {
  bool wanted = true;
  std::string address;  // empty: the default
};

/// What the pipe, its worker and a replay have in common.
struct view_options {
  listening listen;
  progress_mode progress = progress_mode::plain;
  std::chrono::seconds heartbeat{30};  // 0: no heartbeat lines
  std::string state_dir, stack;
  std::vector<feed::label> labels;
};

struct pipe_command {
  view_options view;
};
/// The keeper's child; never typed by a person.
struct worker_command {
  view_options view;
  bool headless = false;
};
struct replay_command {
  view_options view;
  std::string file;
  double speed = 1;  // 0: as fast as it goes
  bool rows = false;
};
/// Nothing to do but to print and leave: help, the version, a usage error.
struct leave {
  int status = 0;
  std::string out, err;
};

using any_command = std::variant<pipe_command, worker_command, replay_command, leave>;

/// Reads the arguments and the environment (`CI`, `TOFUD_STACK`). A usage error is status 2.
any_command parse_command(int argc, const char* const* argv);

/// Whether these arguments may start the pipe, looked at before anything else is done: from then on
/// signals are ignored.
bool may_be_pipe(int argc, const char* const* argv);

/// The argument that makes a worker of this program; followed by the pipe's own arguments.
inline constexpr const char* worker_argument = "worker-of-the-pipe";

}  // namespace tofud
