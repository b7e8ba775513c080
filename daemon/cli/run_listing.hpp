// The runs that are kept here and those of a daemon, as one list.
#pragma once

#include "daemon/spool/kept_runs.hpp"
#include "daemon/terminal/run_table.hpp"
#include "protocol/feed/run_query.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tofud::cli {

struct listing_question {
  std::string state_dir, server, token_file;
  bool no_server = false;
  feed::run_query wanted;
  /// What is kept here is redacted as exported documents are, by its own rules and the values in
  /// this file, if it is not empty; nothing: it is shown to its user as it came.
  std::optional<std::string> redacted_with = {};
  bool all = false;  // else the newest limits::listed_runs, and those that are read quickly
};

struct run_listing {
  std::vector<terminal::listed_run> runs;  // newest first
  std::size_t left_out = 0;                // streams
  std::size_t unread = 0;
  bool more_there = false;            // at the daemon
  std::vector<spool::kept_run> kept;  // all that are here
};

/// Nothing if either can't be asked, which is said on stderr: exit status 2.
std::optional<run_listing> list_runs(const listing_question& asked);

}  // namespace tofud::cli
