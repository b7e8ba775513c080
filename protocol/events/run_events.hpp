// What is known of a run besides its bytes: ID.events beside a spool, one JSON object a line, each
// with the `offset` in the stream where it takes effect.
//
//   {"offset":0,"event":"begin","id":"20261121T0312-7f3a","stack":"net/prod","labels":{"pr":"12"},
//    "command":"apply"}
//   {"offset":8123,"event":"exit_status","status":1}
//   {"offset":8123,"event":"end"}
//
// `stack` and `command` are null when unknown. `exit_status` is only there when somebody knew it: a
// pipe does not.
#pragma once

#include "protocol/feed/row.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::events {

/// Lines without their newline. An empty stack is an unknown one.
std::string begin_event(std::string_view id, std::string_view stack,
                        const std::vector<feed::label>& labels,
                        std::optional<feed::run_command> command);
std::string exit_status_event(std::uint64_t offset, int status);
std::string end_event(std::uint64_t offset);

struct run_events {
  std::string id, stack;  // empty where nothing was said
  std::vector<feed::label> labels;
  std::optional<feed::run_command> command;
  std::optional<int> exit_status;
  bool ended = false;
};

/// Lines that are no event, or one of a kind not known here, are passed over: what is said beside a
/// stream never keeps anybody from reading it.
run_events parse_events(std::string_view text);

}  // namespace tofud::events
