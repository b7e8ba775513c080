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
#include <utility>
#include <vector>

namespace tofud::commands {
namespace {

/// Reads each value of an option by `read`, which fails with a sentence.
template <typename Read, typename Take>
CLI::Option* add_read(CLI::App& words, const std::string& name, Read read, Take take,
                      const std::string& about, const std::string& type) {
  return words
      .add_option_function<std::vector<std::string>>(
          name,
          [read, take](const std::vector<std::string>& given) {
            for (const std::string& each : given) {
              auto value = read(each);
              if (!value) throw CLI::ValidationError{value.error()};
              take(std::move(*value));
            }
          },
          about)
      ->type_name(type)
      ->allow_extra_args(false);
}

/// Who may ask.
void add_access_arguments(CLI::App& words, access::rules& rules) {
  add_read(
      words, "--allow-host", access::read_host,
      [&rules](auto host) { rules.hosts.push_back(std::move(host)); },
      "A name that requests may give in Host, beside loopback's; may be repeated", "NAME[:PORT]");
  add_read(
      words, "--allow-origin", access::read_origin,
      [&rules](auto origin) { rules.origins.push_back(std::move(origin)); },
      "Another server whose pages may ask; may be repeated", "URL");
  add_read(
      words, "--trusted-proxy", access::parse_network,
      [&rules](auto network) { rules.proxies.push_back(network); },
      "A proxy whose X-Forwarded-… headers, and those below, are believed; unix: whoever comes by "
      "the socket; may be repeated",
      "ADDRESS[/BITS]");
  add_read(
      words, "--user-header", access::read_header_name,
      [&rules](auto name) { rules.user_header = std::move(name); },
      "The header in which that proxy names a user, such as X-Forwarded-User", "NAME");
  add_read(
      words, "--groups-header", access::read_header_name,
      [&rules](auto name) { rules.groups_header = std::move(name); },
      "… and the one with the user's groups, comma separated", "NAME");
  words
      .add_option("--allow-group", rules.groups,
                  "Users have to be in one of these groups; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_read(
      words, "--user-scopes", access::parse_scopes, [&rules](auto may) { rules.users_may = may; },
      "What users may do that a proxy names: read, ingest, raw (default read)", "LIST");
  add_read(
      words, "--base-path", access::read_base_path,
      [&rules](auto path) { rules.base_path = std::move(path); },
      "Serve everything below that path, such as /tofud", "PATH");
  add_read(
      words, "--socket-peers",
      [](const std::string& text) -> boost::system::result<access::rules::peers, std::string> {
        if (text == "owner") return access::rules::peers::owner;
        if (text == "mode") return access::rules::peers::mode;
        return "'" + text + "': --socket-peers is owner or mode";
      },
      [&rules](auto peers) { rules.local = peers; },
      "Who may use the Unix socket: owner (our user and root), or mode (whoever its mode lets in)",
      "WHO");
}

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
      ->add_option("--listen", daemon.listen.address,
                   "Where pages, feed and uploads are, on loopback (default 127.0.0.1:8638)")
      ->type_name("ADDR:PORT")
      ->envname("TOFUD_LISTEN");
  words->add_flag_callback(
      "--no-listen", [given] { given->daemon.listen.wanted = false; }, "Only the Unix socket");
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
  add_access_arguments(*words, daemon.access);
  return {words, [given] { return run_serve(*given); }};
}

}  // namespace tofud::commands
