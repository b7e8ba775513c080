// What a daemon is told of a run besides its bytes: the document that asks for it, and its events.
#pragma once

#include "daemon/forward/forwarder.hpp"
#include "daemon/forward/upload_record.hpp"
#include "protocol/events/known_run.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::forward {

struct run_facts {
  std::string id;  // the local one, which the daemon takes if it is free
  std::string stack;
  std::vector<feed::label> labels;
  std::optional<feed::run_command> command;
  bool may_ask = false;           // for approval
  std::uint64_t parallelism = 0;  // operations at once; 0: not said
};

/// The body of POST /v1/runs.
std::string post_body(const upload_record& record, const run_facts& facts);

/// Of the lines of ID.events those that the daemon does not know from the document, in their order
/// and always with the same bytes; the exit status comes last, once the run is over.
/// Of attachments the document is sent.
enum class run_phase : bool { open, over };
std::vector<sent_event> events_to_send(std::string_view events_file, run_phase when);

}  // namespace tofud::forward
