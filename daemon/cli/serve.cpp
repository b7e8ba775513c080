#include "daemon/cli/serve.hpp"

#include "daemon/api/feed_route.hpp"
#include "daemon/attachments/schema_files.hpp"
#include "daemon/cli/config_sources.hpp"
#include "daemon/cli/setting_flags.hpp"
#include "daemon/client/server_address.hpp"
#include "daemon/operations/log_format.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/serve/from_settings.hpp"
#include "daemon/serve/team_daemon.hpp"
#include "daemon/settings/identity_providers.hpp"
#include "daemon/settings/notify_rules.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/spool_place.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

/// `daemon/` in the first place that takes it; empty: there is none, and that is said.
std::string journal_directory(const std::string& state_dir) {
  std::string failure;
  for (const auto& candidate : spool::place_candidates(state_dir, spool::process_environment())) {
    const auto entered = spool::enter_place(candidate);
    if (entered.place) return entered.place->directory + "/daemon";
    failure = candidate.directory + " " + entered.refusal;
    // Whoever names a place wants it there.
    if (!state_dir.empty()) break;
  }
  spool::notice("no directory is writable for the stored runs: " + failure);
  return "";
}

/// All but rules and directory, which have to be looked for.
serve::daemon_options options_of(const settings::settings& from) {
  serve::daemon_options daemon;
  daemon.listen = from.listen;
  daemon.tls = {from.tls.cert, from.tls.key};
  daemon.beyond_loopback.insecure = from.insecure;
  daemon.socket = from.socket == "auto"
                      ? client::default_sockets(spool::process_environment()).front()
                      : from.socket;
  daemon.retain = serve::retention_of(from);
  daemon.log_format = operations::parse_log_format(from.log.format);
  daemon.audit_file = from.audit.file;
  daemon.archive = serve::archive_of(from);
  daemon.telemetry = serve::telemetry_of(from);
  daemon.cluster = serve::cluster_of(from);
  daemon.runs.copied_bytes = from.cluster.copied_bytes;
  daemon.metrics_by_stack = from.metrics.stacks;
  daemon.log_level = operations::parse_log_level(from.log.level).value_or(daemon.log_level);
  daemon.runs.shows = serve::text_policy_of(from);
  daemon.runs.kept.lines_bytes = from.limits.lines_bytes;
  daemon.runs.kept.all_lines = std::make_shared<fanout::line_budget>(from.limits.all_lines_bytes);
  daemon.runs.loaded_bytes = from.limits.loaded_bytes;
  daemon.runs.memory_bytes = from.limits.memory_bytes;
  daemon.runs.live = serve::live_runs_of(from);
  daemon.connections.connections_per_address = from.limits.connections_per_address;
  daemon.connections.connections = from.limits.connections;
  daemon.connections.header_bytes = from.limits.header_bytes;
  daemon.connections.header_time = from.limits.header_time;
  daemon.connections.stalled_after = from.limits.stalled_after;
  daemon.body_stalled_after = from.limits.body_stalled_after;
  daemon.feed = hub_options_of_this_build();
  daemon.feed.tick_max = from.feed.tick;
  daemon.feed.stalled_after = from.limits.stalled_after;
  daemon.feed.client_message_bytes = from.limits.client_message_bytes;
  return daemon;
}

int run_serve(const std::function<settings::said_settings()>& read) {
  auto now = understand(read());
  if (!now) return 2;
  const settings::settings& wanted = now->values;
  auto daemon = options_of(wanted);
  auto access = serve::access_rules_of(wanted);
  if (!access) {
    spool::notice(access.error().text());
    return 2;
  }
  daemon.access = std::move(*access);
  daemon.told = settings::notify_rules_in(wanted).all;
  daemon.providers = settings::identity_providers_in(wanted).all;
  daemon.runs.base_path = daemon.access.base_path;
  auto rules = redaction::rules_here(redaction::own_environment(), wanted.mask_file);
  if (!rules) {
    spool::notice(rules.error().text());
    return 2;
  }
  daemon.rules = std::move(*rules);
  auto schemas = attachments::specifications_in(wanted.schemas);
  if (!schemas) {
    spool::notice(schemas.error().text());
    return 2;
  }
  daemon.own_schemas = std::move(*schemas);
  daemon.directory = journal_directory(wanted.state_dir == "auto" ? "" : wanted.state_dir);
  if (daemon.directory.empty()) return 1;
  daemon.runs.folding_file = daemon.directory + "/folding";
  settings::reloading reload{std::move(*now), read};
  daemon.reload = &reload;
  return serve::run_daemon(daemon);
}

}  // namespace

void add_serve(command& line) {
  command& words =
      line.add_command("serve", "Run the daemon: take, store and show the runs of a team");
  auto config = std::make_shared<std::string>();
  words
      .add_option(
          "--config", *config,
          "Read only this file ($TOFUD_CONFIG; default: /etc/tofud/tofud.toml, "
          "/etc/tofud/conf.d/*.toml and tofud/tofud.toml in the user's configuration directory)")
      .value("FILE");
  const auto flags = add_setting_flags(words);
  words.run = [config, flags] {
    return run_serve(
        [config, flags] { return read_config(*config, flags(), spool::process_environment()); });
  };
}

}  // namespace tofud::cli
