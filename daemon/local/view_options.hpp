// How a stream is shown: what the pipe, its worker and a replay have in common.
#pragma once

#include "daemon/attachments/wanted.hpp"
#include "daemon/terminal/colour.hpp"
#include "daemon/terminal/mode.hpp"
#include "protocol/events/known_run.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/feed/row.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tofud {

/// Where to listen: `--listen ADDR:PORT`, or the default port and what follows it.
struct listening {
  bool wanted = true;
  std::string address;                            // empty: the default
  std::uint64_t tick = limits::tick_max.count();  // of the feed, at most; milliseconds
};

/// What `tofud run` knows of the command that it started.
struct wrapped_command {
  feed::run_command command = feed::run_command::other;
  bool may_ask = false;        // for approval
  bool replaces_text = false;  // the stream took the place of what tofu prints for people
  bool tells_plan = false;     // of it, what `plan` prints before its plan is told
  bool coloured = false;       // and in colours, as the program would
  bool quiet = false;          // tofud prints nothing of its own about it
  bool draws = false;          // a live block while tofu applies
  bool passes_on = false;      // the stream was asked for, and goes on to stdout
};

struct view_options {
  listening listen;
  terminal::progress_flag progress = terminal::progress_flag::automatic;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
  std::uint64_t heartbeat = 30;  // seconds between such lines; 0: none
  bool score = false;            // says at the end how good the estimates were
  bool looks_for_drift = false;  // found by `tofud run`; see run_facts
  std::string stack;             // empty: not told
  std::vector<feed::label> labels;
  std::string commit, plan_out, plan_argument;  // found by `tofud run`; see run_facts
  std::string directory;                        // of the root module, found likewise
  std::uint64_t parallelism = 0;                // likewise; 0: not said
  std::optional<events::plan_file> plan_hash;   // of plan_argument, if there was time for it
  std::vector<std::string> variables;           // redaction::variables_of what is wrapped
  std::optional<wrapped_command> wrapped;       // nothing: a pipe, a replay
  std::string mask_file;                        // values that never leave the machine; empty: none
  std::string server;          // of the daemon that gets the run; empty: one at its usual place
  bool no_server = false;      // none gets it
  std::string token_file;      // what that daemon is shown is in there; empty: $TOFUD_TOKEN
  std::string report;          // file for the page as it is at the end; empty: none
  std::string junit;           // where a JUnit report goes at the end; empty: none is wanted
  attachments::wanted attach;  // what somebody named, or `tofud run` found; all but `spool`
};

}  // namespace tofud
