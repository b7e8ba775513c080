// What all events of a run say together: the text of ID.events, as it stands beside a spool.
#pragma once

#include "protocol/events/event.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::events {

struct known_run {
  std::string id, stack;            // empty where nothing was said
  std::vector<feed::label> labels;  // a later one of the same key took the place of an earlier
  std::optional<feed::run_command> command;
  std::vector<placed<attachment>> attachments;  // by offset, each part once, each with its hash
  std::optional<int> exit_status;
  std::optional<trace_parent> parent;  // the first that was said
  bool ended = false;
};

/// Of lines. What is no event, or of a kind not known here, is passed over: what is said beside a
/// stream never keeps anybody from reading it.
known_run parse_lines(std::string_view text);

}  // namespace tofud::events
