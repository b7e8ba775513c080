// How a stream is shown: what the pipe, its worker and a replay have in common.
#pragma once

#include "daemon/terminal/colour.hpp"
#include "daemon/terminal/mode.hpp"
#include "protocol/feed/row.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace tofud {

/// Where to listen: `--listen ADDR:PORT`, or the default port and what follows it.
struct listening {
  bool wanted = true;
  std::string address;  // empty: the default
};

struct view_options {
  listening listen;
  terminal::progress_flag progress = terminal::progress_flag::automatic;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
  std::chrono::seconds heartbeat{30};  // 0: no heartbeat lines
  std::string stack;                   // empty: not told
  std::vector<feed::label> labels;
  std::string junit;  // where a JUnit report goes at the end; empty: none is wanted
};

}  // namespace tofud
