// How a daemon is set up: plain values, by the names that a configuration file gives them.
#pragma once

#include "daemon/http/message/limits.hpp"
#include "daemon/net/limits.hpp"
#include "daemon/settings/limits.hpp"
#include "daemon/settings/table.hpp"
#include "protocol/feed/limits.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tofud::settings {

/// What each member means, which values it takes and what it is called elsewhere is in the table of
/// options.hpp. The initial values are the defaults, there and in config/tofud.toml.
struct settings {
  std::vector<std::string> listen{"127.0.0.1:8638"};  // ADDR:PORT; none: no TCP
  std::string socket = "auto";                        // a path; "auto": the usual; "": none
  std::string socket_peers = "auto";                  // auto, owner, mode
  std::string base_path;                              // "" or "/tofud"
  std::vector<std::string> allow_host, allow_origin;  // beside our own
  bool insecure = false;
  std::string state_dir = "auto";  // a path; "auto": the user's
  std::string mask_file;           // "": none
  std::string schemas;             // a directory or file; "": none

  struct tls_files {
    std::string cert, key;  // "": no TLS
    bool operator==(const tls_files&) const = default;
  } tls;

  struct proxy_trust {
    std::vector<std::string> trusted;  // networks, as in 10.0.0.0/8
    std::string user_header, groups_header;
    std::vector<std::string> allow_groups;
    std::vector<std::string> group_stacks;  // GROUP=PATTERN
    std::string user_scopes = "read";       // comma separated
    bool operator==(const proxy_trust&) const = default;
  } proxy;

  struct redaction_policy {
    std::string provisioner_output = "show";  // show, hide
    std::string snippet_values = "show";      // show, hide
    bool operator==(const redaction_policy&) const = default;
  } redact;

  struct retention {
    std::uint64_t days = std::chrono::ceil<std::chrono::days>(tofud::limits::retained_age).count();
    std::uint64_t runs = tofud::limits::retained_runs;
    std::uint64_t bytes = tofud::limits::retained_bytes;
    std::uint64_t operations = tofud::limits::retained_operations;
    bool operator==(const retention&) const = default;
  } retain;

  struct feed_pace {
    std::chrono::milliseconds tick = tofud::limits::tick_max;
    bool operator==(const feed_pace&) const = default;
  } feed;

  struct logging {
    std::string format = "auto";  // auto, text, json, journal
    std::string level = "info";   // debug, info, warning, error
    bool operator==(const logging&) const = default;
  } log;

  struct auditing {
    std::string file;  // "": none
    bool operator==(const auditing&) const = default;
  } audit;

  struct measuring {
    bool stacks = false;
    bool operator==(const measuring&) const = default;
  } metrics;

  struct archiving {
    std::string to;        // a path, or s3://BUCKET/PREFIX; "": no archive
    std::string endpoint;  // "": Amazon's
    std::string region = "us-east-1";
    std::string credentials_file, ca_file;
    bool operator==(const archiving&) const = default;
  } archive;

  struct sending_otlp {
    std::string endpoint;  // http or https; "": OpenTelemetry's variables say it
    std::string headers_file, ca_file;
    bool operator==(const sending_otlp&) const = default;
  } otlp;

  struct sharing_runs {
    std::vector<std::string> nats;  // nats://HOST:PORT or tls://HOST:PORT; none: alone
    std::string name = "tofud";
    std::uint64_t replicas = 1;
    std::uint64_t bytes = 0;  // in NATS; 0: as many as its servers give
    std::uint64_t copied_bytes =
        tofud::limits::run_copies_bytes;  // here, of runs that others take in
    std::string credentials_file, nkey, nkey_seed_file, ca_file, cert_file, key_file;
    bool operator==(const sharing_runs&) const = default;
  } cluster;

  /// Named like the constants that are their defaults.
  struct bounds {
    std::uint64_t connections = tofud::limits::connections;
    std::uint64_t connections_per_address = tofud::limits::connections_per_address;
    std::uint64_t live_runs = tofud::limits::live_runs;
    std::uint64_t live_runs_per_address = tofud::limits::live_runs_per_address;
    std::uint64_t lines_bytes = tofud::limits::lines_bytes;
    std::uint64_t all_lines_bytes = tofud::limits::all_lines_bytes;
    std::uint64_t loaded_bytes = tofud::limits::loaded_bytes;
    std::uint64_t memory_bytes = tofud::limits::memory_bytes;
    std::uint64_t header_bytes = tofud::limits::header_bytes;
    std::chrono::milliseconds header_time = tofud::limits::header_time;
    std::chrono::milliseconds body_stalled_after = tofud::limits::body_stalled_after;
    std::uint64_t client_message_bytes = tofud::limits::client_message_bytes;
    std::chrono::milliseconds stalled_after = tofud::limits::stalled_after;
    bool operator==(const bounds&) const = default;
  } limits;

  /// Of all lists of tables, in the order of the files.
  std::vector<table> tables;

  bool operator==(const settings&) const = default;
};

}  // namespace tofud::settings
