// RUN of the commands that read what was kept, here or at a daemon: an id, the beginning of one, a
// file, or `last`.
#pragma once

#include "daemon/cli/command.hpp"
#include "daemon/client/server_address.hpp"
#include "daemon/client/service.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "daemon/pipeline/kept_stream.hpp"
#include "daemon/terminal/colour.hpp"
#include "daemon/terminal/style.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tofud::cli {

struct run_argument {
  std::string run;  // empty: the newest that goes on, else the newest
  std::string state_dir;
  std::string server;  // empty: TOFUD_SERVER, else a default socket
  bool no_server = false;
  std::string token_file;  // empty: TOFUD_TOKEN
};

enum class run_given : std::uint8_t { always, maybe };

/// Puts RUN, --state-dir, --server, --no-server and --token-file into `words`; reading them fills
/// `given`, which outlives `words`.
void add_run_argument(command& words, run_argument& given, run_given when);

void add_state_dir(command& words, std::string& state_dir);

/// --server, --no-server and --token-file, for commands that ask a daemon.
void add_server_arguments(command& words, std::string& server, bool& no_server,
                          std::string& token_file);

void add_token_file(command& words, std::string& token_file);

/// A daemon to ask.
struct asked_daemon {
  client::server_wish wish = client::server_wish::none;
  std::optional<client::service> service;  // nothing: `none`
};

/// The daemon that --server, TOFUD_SERVER or a default socket name. Nothing if that, or the token
/// for it, can't be read,
/// which is said on stderr: exit status 2.
std::optional<asked_daemon> daemon_for(const std::string& server, bool no_server,
                                       const std::string& token_file);

/// Whether that failure is as good as no daemon: a socket that was found at its usual place and
/// that nobody listens on any more.
bool is_left_over(const asked_daemon& daemon, const client::failure& failed);

/// Whether stdout gets colours, by the flag and the environment.
bool colours_stdout(terminal::colour_flag flag);

/// How a table is drawn on stdout.
struct stdout_look {
  std::size_t width = 0;  // columns; 0: a pipe, which takes any bytes and any width
  terminal::style style;
};

stdout_look look_of_stdout(terminal::colour_flag flag);

struct opened_run {
  spool::chosen_run chosen;  // without a path: it is at a daemon
  pipeline::kept_stream stream;
};

/// The address of the run's page at its daemon, or that it wrote beside its spool; empty: none.
std::string page_of(const opened_run& opened);

/// Finds and opens the run: one that is kept here under that very id, else one at the daemon, else
/// the only one of either that begins so. Nothing if that failed, which is said on stderr: exit
/// status 2.
std::optional<opened_run> open_run(const run_argument& given);

/// Whether the fold holds the chosen run of its stream; says on stderr if it does not.
bool holds(const correlator::stream_fold& fold, const spool::chosen_run& chosen);

}  // namespace tofud::cli
