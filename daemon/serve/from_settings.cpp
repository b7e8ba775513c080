#include "daemon/serve/from_settings.hpp"

#include <chrono>
#include <utility>

namespace tofud::serve {

text::result<access::rules> access_rules_of(const settings::settings& from) {
  access::rules rules;
  for (const std::string& each : from.allow_host) {
    const auto host = access::read_host(each);
    if (!host) return host.error();
    rules.hosts.push_back(*host);
  }
  for (const std::string& each : from.allow_origin) {
    const auto origin = access::read_origin(each);
    if (!origin) return origin.error();
    rules.origins.push_back(*origin);
  }
  for (const std::string& each : from.proxy.trusted) {
    const auto proxy = access::parse_proxy(each);
    if (!proxy) return proxy.error();
    rules.proxies.push_back(*proxy);
  }
  for (const auto& [name, to] : {std::pair{&from.proxy.user_header, &rules.user_header},
                                 std::pair{&from.proxy.groups_header, &rules.groups_header}}) {
    if (name->empty()) continue;
    const auto header = access::read_header_name(*name);
    if (!header) return header.error();
    *to = *header;
  }
  rules.groups = from.proxy.allow_groups;
  for (const std::string& each : from.proxy.group_stacks) {
    auto read = access::read_group_stacks(each);
    if (!read) return read.error();
    rules.stacks_of_groups.push_back(std::move(*read));
  }
  const auto may = access::parse_scopes(from.proxy.user_scopes);
  if (!may) return may.error();
  rules.users_may = *may;
  const auto base = access::read_base_path(from.base_path);
  if (!base) return base.error();
  rules.base_path = *base;
  if (from.socket_peers == "mode") rules.local = access::rules::peers::mode;
  if (from.socket_peers == "owner") rules.local = access::rules::peers::owner;
  return rules;
}

journal::retention retention_of(const settings::settings& from) {
  return {std::chrono::days{from.retain.days}, from.retain.runs, from.retain.bytes,
          from.retain.operations};
}

archive::address archive_of(const settings::settings& from) {
  return {from.archive.to, from.archive.endpoint, from.archive.region,
          from.archive.credentials_file, from.archive.ca_file};
}

telemetry::wishes telemetry_of(const settings::settings& from) {
  return {from.otlp.endpoint, from.otlp.headers_file, from.otlp.ca_file};
}

cluster_options cluster_of(const settings::settings& from) {
  const auto& said = from.cluster;
  cluster_options made;
  made.to = {said.nats,    said.credentials_file, said.nkey,    said.nkey_seed_file,
             said.ca_file, said.cert_file,        said.key_file};
  made.name = said.name;
  made.replicas = static_cast<unsigned>(said.replicas);
  if (said.bytes > 0) made.max_bytes = static_cast<std::int64_t>(said.bytes);
  return made;
}

correlator::text_policy text_policy_of(const settings::settings& from) {
  return {from.redact.provisioner_output == "show", from.redact.snippet_values == "show"};
}

live_runs::bounds live_runs_of(const settings::settings& from) {
  return {from.limits.live_runs, from.limits.live_runs_per_address};
}

}  // namespace tofud::serve
