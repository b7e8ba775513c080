// Whose history is asked: the daemon's, or this machine's.
#pragma once

#include "daemon/cli/command.hpp"
#include "protocol/history/report.hpp"

#include <optional>
#include <string>

namespace tofud::cli {

struct history_source {
  std::string state_dir, server, token_file;
  bool no_server = false;
};

/// Adds its options; `to` outlives the command.
void add_history_source(command& words, history_source& to);

/// Nothing if it can't be had, which is said.
std::optional<history::report> report_of(const history_source& source,
                                         const history::report_query& query);

}  // namespace tofud::cli
