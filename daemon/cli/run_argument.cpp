#include "daemon/cli/run_argument.hpp"

#include "daemon/cli/run_search.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/client/job_token.hpp"
#include "daemon/client/server_token.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/page_url.hpp"
#include "daemon/terminal/screen.hpp"
#include "protocol/text/percent.hpp"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace tofud::cli {

void add_state_dir(command& words, std::string& state_dir) {
  words
      .add_option("--state-dir", state_dir,
                  "State directory, where streams are stored (default: the user's state directory)")
      .value("DIR")
      .variable("TOFUD_STATE_DIR");
}

void add_run_argument(command& words, run_argument& given, run_given when) {
  option& run = words.add_option("RUN", given.run,
                                 when == run_given::always
                                     ? "Run id, the beginning of one, a stream file, or last"
                                     : "Run id, the beginning of one, a stream file, or last "
                                       "(default: the newest running one, else the newest)");
  if (when == run_given::always) run.required();
  add_state_dir(words, given.state_dir);
  add_server_arguments(words, given.server, given.no_server, given.token_file);
}

bool colours_stdout(terminal::colour_flag flag) {
  return terminal::wants_colour(flag, ::isatty(STDOUT_FILENO) != 0, ::getenv);
}

stdout_look look_of_stdout(terminal::colour_flag flag) {
  if (::isatty(STDOUT_FILENO) == 0) return {0, {colours_stdout(flag), terminal::charset::utf8}};
  return {terminal::size_of_screen(STDOUT_FILENO).width,
          {colours_stdout(flag), terminal::charset_of(::getenv)}};
}

void add_token_file(command& words, std::string& token_file) {
  words
      .add_option("--token-file", token_file,
                  "File whose first line is the token for the daemon (default: $TOFUD_TOKEN; a "
                  "Unix socket needs none)")
      .value("FILE")
      .variable("TOFUD_TOKEN_FILE");
}

void add_server_arguments(command& words, std::string& server, bool& no_server,
                          std::string& token_file) {
  words
      .add_option("--server", server,
                  "The daemon to ask: https://HOST[/BASE], http://HOST:PORT or unix:PATH (default: "
                  "$TOFUD_SERVER, where none means --no-server; else the daemon at the default "
                  "socket, if there is one)")
      .value("SERVER");
  words.add_flag("--no-server", no_server, "Ask no daemon; use only what is stored here");
  add_ca_file_argument(words);
  add_token_file(words, token_file);
}

std::optional<asked_daemon> daemon_for(const std::string& server, bool no_server,
                                       const std::string& token_file) {
  const auto chosen = client::choose_server(server, no_server, spool::process_environment());
  if (!chosen) {
    spool::notice(chosen.error().text());
    return std::nullopt;
  }
  if (chosen->wish == client::server_wish::none) return asked_daemon{};
  const client::server_address& at = chosen->address;
  const auto tls = client::tls_for(at, spool::process_environment());
  if (!tls) {
    spool::notice(tls.error().text());
    return std::nullopt;
  }
  auto token = client::token_for(at, token_file, spool::process_environment());
  if (!token) {
    spool::notice(token.error().text());
    return std::nullopt;
  }
  // A job may have its own; without one the daemon says what it needs.
  const auto question =
      token->empty() ? client::job_token_for(at, spool::process_environment()) : std::nullopt;
  if (question) {
    token = client::ask_job_token(*question);
    if (!token) {
      spool::notice(token.error().text());
      token = std::string{};
    }
  }
  client::place place{at.socket, at.host,       at.port, client::host_header(at),
                      *tls,      to_string(at), "",      at.base};
  if (!token->empty()) place.authorization = client::bearer(*token);
  return asked_daemon{chosen->wish, client::service{std::move(place)}};
}

bool is_left_over(const asked_daemon& daemon, const client::failure& failed) {
  return daemon.wish == client::server_wish::found && failed.what == client::trouble::absent;
}

std::string page_of(const opened_run& opened) {
  const client::service* daemon = opened.stream.daemon();
  if (daemon == nullptr) return spool::read_page_url(opened.chosen.path);
  const auto page = daemon->page();
  if (!page || !*page) return "";
  std::string url = **page + "?run=";
  const std::string& only = opened.chosen.only;
  text::append_percent_encoded(url, only.empty() ? opened.stream.identity().id : only);
  return url;
}

std::optional<opened_run> open_run(const run_argument& given) {
  auto daemon = daemon_for(given.server, given.no_server, given.token_file);
  if (!daemon) return std::nullopt;
  auto opened = find_run(given, *daemon);
  if (!opened) {
    spool::notice(opened.error().text());
    return std::nullopt;
  }
  return std::move(*opened);
}

bool holds(const correlator::stream_fold& fold, const spool::chosen_run& chosen) {
  const auto& runs = fold.runs();
  if (chosen.only.empty() ||
      std::any_of(runs.begin(), runs.end(),
                  [&](const correlator::run_state& run) { return run.id() == chosen.only; })) {
    return true;
  }
  spool::notice("there is no run " + chosen.only + ": that stream has " +
                std::to_string(runs.size()) + (runs.size() == 1 ? " run" : " runs"));
  return false;
}

}  // namespace tofud::cli
