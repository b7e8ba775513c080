// A recorded stream through the whole path, at its pace.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "daemon/local/view_options.hpp"
#include "daemon/pipeline/attached_parts.hpp"
#include "daemon/spool/recording.hpp"
#include "protocol/events/event.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tofud {

/// What to do once the last line was played: go on serving until Ctrl-C, or end.
enum class after_end : std::uint8_t { serve, leave };

struct replay_options {
  correlator::run_identity identity;
  std::string title;  // "replay of FILE"
  std::string file;   // a mask that was frozen beside it holds; may be empty
  double speed = 1;   // times the recorded pace; 0: as fast as it goes
  after_end then = after_end::serve;
  std::string farewell;               // said at the end, if it goes on serving; empty: nothing
  std::vector<events::event> events;  // beside the recording
  const pipeline::attached_parts* parts = nullptr;  // outlives the replay; null: nothing is
};

/// Plays, prints and serves. Ends when all was played and there is nothing to serve, or is told to
/// (Ctrl-C). Returns the exit status: 0, or 2 if `view` can't be had here.
int replay(const spool::recording& recording, const view_options& view,
           const replay_options& wanted);

}  // namespace tofud
