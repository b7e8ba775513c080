#include "daemon/commands/serve.hpp"

#include "daemon/reader/notice.hpp"
#include "daemon/reader/spool_place.hpp"
#include "daemon/redaction.hpp"
#include "daemon/serve/team_daemon.hpp"
#include "daemon/server_address.hpp"
#include "protocol/limits.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace tofud::commands {
namespace {

struct serve_arguments {
  serve::daemon_options daemon;
  std::string state_dir, mask_file;
  bool no_socket = false;
  std::uint64_t days = std::chrono::ceil<std::chrono::days>(limits::retained_age).count();
  std::uint64_t runs = limits::retained_runs, bytes = limits::retained_bytes;
};

/// `daemon/` in the first place that takes it; empty: there is none, and that is said.
std::string journal_directory(const std::string& state_dir) {
  std::string failure;
  for (const auto& candidate : reader::place_candidates(state_dir, reader::process_environment())) {
    const auto entered = reader::enter_place(candidate);
    if (entered.place) return entered.place->directory + "/daemon";
    failure = candidate.directory + " " + entered.refusal;
    // Whoever names a place wants it there.
    if (!state_dir.empty()) break;
  }
  reader::notice("there is no place for the history: " + failure);
  return "";
}

int run_serve(serve_arguments& given) {
  auto& daemon = given.daemon;
  if (daemon.tls.certificate.empty() != daemon.tls.key.empty()) {
    reader::notice("--tls-cert and --tls-key go together; both may name one file");
    return 2;
  }
  if (given.no_socket) {
    daemon.socket.clear();
  } else if (daemon.socket.empty()) {
    daemon.socket = default_sockets(reader::process_environment()).front();
  }
  auto rules = rules_here(own_environment(), given.mask_file);
  if (!rules) {
    reader::notice(rules.error());
    return 2;
  }
  daemon.rules = std::move(*rules);
  daemon.directory = journal_directory(given.state_dir);
  if (daemon.directory.empty()) return 1;
  daemon.retain = {std::chrono::days{given.days}, given.runs, given.bytes};
  return serve::run_daemon(daemon);
}

}  // namespace

command add_serve(CLI::App& line) {
  auto given = std::make_shared<serve_arguments>();
  auto& daemon = given->daemon;
  CLI::App* words =
      line.add_subcommand("serve", "Keep and show the runs of a team, until it is told to stop");
  words
      ->add_option("--listen", daemon.listen,
                   "Where pages, feed and uploads are (default 127.0.0.1:8638); may be repeated. "
                   "Beyond loopback it takes --tls-cert and a token, or --insecure")
      ->type_name("ADDR:PORT")
      ->allow_extra_args(false)
      ->envname("TOFUD_LISTEN");
  words
      ->add_option("--tls-cert", daemon.tls.certificate,
                   "The certificate, and those that lead to its authority, in PEM; what listens on "
                   "TCP then speaks https. SIGHUP reads it again")
      ->type_name("FILE")
      ->envname("TOFUD_TLS_CERT");
  words->add_option("--tls-key", daemon.tls.key, "Its key, in PEM")
      ->type_name("FILE")
      ->envname("TOFUD_TLS_KEY");
  words->add_flag("--insecure", daemon.beyond_loopback.insecure,
                  "Listen beyond loopback without TLS or without tokens all the same");
  words->add_flag_callback(
      "--no-listen", [given] { given->daemon.wants_tcp = false; }, "Only the Unix socket");
  words
      ->add_option("--socket", daemon.socket,
                   "The Unix socket (default: $XDG_RUNTIME_DIR/tofud/tofud.sock, else "
                   "/run/tofud/tofud.sock)")
      ->type_name("PATH");
  words->add_flag("--no-socket", given->no_socket, "No Unix socket");
  words
      ->add_option("--state-dir", given->state_dir,
                   "Where the history is kept, in daemon/ (default: the user's state directory)")
      ->type_name("DIR")
      ->envname("TOFUD_STATE_DIR");
  words
      ->add_option("--mask-file", given->mask_file,
                   "Values that are masked in streams that come as they are, one a line")
      ->type_name("FILE")
      ->envname("TOFUD_MASK_FILE");
  words->add_option("--retain-days", given->days, "Finished runs are kept so long (default 90)")
      ->type_name("DAYS");
  words->add_option("--retain-runs", given->runs, "… and so many of them (default 10000)")
      ->type_name("N");
  words
      ->add_option("--retain-bytes", given->bytes,
                   "… and so many bytes of them, such as 5GB (default 20GiB)")
      ->transform(CLI::AsSizeValue(false));
  return {words, [given] { return run_serve(*given); }};
}

}  // namespace tofud::commands
