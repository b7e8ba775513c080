// How a stream is shown: what the pipe, its worker and a replay have in common.
#pragma once

#include "protocol/feed/row.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tofud {

enum class progress_mode : std::uint8_t { plain, json, none };

/// Where to listen: `--listen ADDR:PORT`, or the default port and what follows it.
struct listening {
  bool wanted = true;
  std::string address;  // empty: the default
};

struct view_options {
  listening listen;
  progress_mode progress = progress_mode::plain;
  std::chrono::seconds heartbeat{30};  // 0: no heartbeat lines
  std::string stack;                   // empty: not told
  std::vector<feed::label> labels;
  std::string junit;  // where a JUnit report goes at the end; empty: none is wanted
};

}  // namespace tofud
