#include "daemon/settings/options.hpp"

#include "daemon/net/limits.hpp"
#include "daemon/settings/checks.hpp"
#include "daemon/settings/in_words.hpp"
#include "daemon/settings/limits.hpp"
#include "protocol/text/utf8.hpp"
#include "protocol/text/whole_number.hpp"

#include <algorithm>

namespace tofud::settings {
namespace {

using texts = std::vector<std::string>;
using time_span = std::chrono::milliseconds;

// A member of `settings` as an `option_home`.
// NOLINTBEGIN(bugprone-macro-parentheses): a type and a member's name take none
#define TOFUD_HOME(TYPE, MEMBER) \
  static_cast<TYPE& (*)(settings&)>([](settings& in) -> TYPE& { return in.MEMBER; })
// NOLINTEND(bugprone-macro-parentheses)

constexpr std::uint64_t in_ms(time_span time) { return static_cast<std::uint64_t>(time.count()); }

constexpr std::uint64_t shortest = in_ms(limits::config_time_shortest);
constexpr std::uint64_t longest = in_ms(limits::config_time_longest);

std::vector<option> make_options() {
  constexpr auto on_reload = takes_effect::on_reload;
  const std::vector<std::string_view> show_or_hide{"show", "hide"};
  std::vector<option> all{
      {.key = "listen",
       .flag = "--listen",
       .type = option_type::list,
       .home = TOFUD_HOME(texts, listen),
       .shape = "ADDR:PORT",
       .help = "Addresses to listen on for pages, feed and uploads; beyond loopback they need TLS "
               "and a token. An empty list: only the socket.",
       .check = check_endpoint},
      {.key = "socket",
       .flag = "--socket",
       .type = option_type::path,
       .home = TOFUD_HOME(std::string, socket),
       .shape = "PATH",
       .help = "Path of the Unix socket; auto is $XDG_RUNTIME_DIR/tofud/tofud.sock, else "
               "/run/tofud/tofud.sock; empty: no socket.",
       .words = {"auto", ""}},
      {.key = "socket_peers",
       .flag = "--socket-peers",
       .home = TOFUD_HOME(std::string, socket_peers),
       .shape = "WHO",
       .help = "Who may use the Unix socket: owner (the daemon's user and root), mode (everyone "
               "the file mode admits), or auto (mode for a socket from systemd, else owner).",
       .words = {"auto", "owner", "mode"}},
      {.key = "base_path",
       .flag = "--base-path",
       .home = TOFUD_HOME(std::string, base_path),
       .shape = "PATH",
       .help = "Base path in front of all paths behind a proxy, such as /tofud.",
       .check = check_base_path},
      {.key = "allow_host",
       .flag = "--allow-host",
       .type = option_type::list,
       .home = TOFUD_HOME(texts, allow_host),
       .shape = "HOST",
       .help = "Host names that the daemon answers to, besides its addresses.",
       .effect = on_reload,
       .check = check_host},
      {.key = "allow_origin",
       .flag = "--allow-origin",
       .type = option_type::list,
       .home = TOFUD_HOME(texts, allow_origin),
       .shape = "ORIGIN",
       .help = "Origins of other pages that may send requests to the daemon.",
       .effect = on_reload,
       .check = check_origin},
      {.key = "insecure",
       .flag = "--insecure",
       .type = option_type::boolean,
       .home = TOFUD_HOME(bool, insecure),
       .help = "Allow listening beyond loopback without tokens and TLS."},
      {.key = "state_dir",
       .flag = "--state-dir",
       .type = option_type::path,
       .home = TOFUD_HOME(std::string, state_dir),
       .shape = "DIR",
       .help = "State directory; runs are stored in its subdirectory daemon/. auto is "
               "$STATE_DIRECTORY, else the user's state directory.",
       .words = {"auto"}},
      {.key = "mask_file",
       .flag = "--mask-file",
       .type = option_type::path,
       .home = TOFUD_HOME(std::string, mask_file),
       .shape = "FILE",
       .help = "File with values to redact in streams that come without a forwarder, one on each "
               "line; SIGHUP reloads it.",
       .effect = on_reload,
       .words = {""}},
      {.key = "schemas",
       .flag = "--schemas",
       .type = option_type::path,
       .home = TOFUD_HOME(std::string, schemas),
       .shape = "DIR",
       .help = "Provider Code Specifications that override the schemas of every run: what they "
               "mark as sensitive is redacted in attached plans; SIGHUP reloads them.",
       .effect = on_reload,
       .words = {""}},
      {.key = "tls.cert",
       .flag = "--tls-cert",
       .type = option_type::path,
       .home = TOFUD_HOME(std::string, tls.cert),
       .shape = "FILE",
       .help = "Certificate chain, in PEM format; SIGHUP reloads it.",
       .words = {""}},
      {.key = "tls.key",
       .flag = "--tls-key",
       .type = option_type::path,
       .home = TOFUD_HOME(std::string, tls.key),
       .shape = "FILE",
       .help = "Private key of the certificate, in PEM format; SIGHUP reloads it.",
       .words = {""}},
      {.key = "proxy.trusted",
       .flag = "--trusted-proxy",
       .type = option_type::list,
       .home = TOFUD_HOME(texts, proxy.trusted),
       .shape = "PLACE",
       .help = "Proxies whose user headers are trusted: networks, or unix; on this machine with "
               "the proxy's user, as in 127.0.0.1@www-data.",
       .effect = on_reload,
       .check = check_proxy},
      {.key = "proxy.user_header",
       .flag = "--user-header",
       .home = TOFUD_HOME(std::string, proxy.user_header),
       .shape = "NAME",
       .help = "The header in which such a proxy names the user.",
       .effect = on_reload,
       .check = check_header_name},
      {.key = "proxy.groups_header",
       .flag = "--groups-header",
       .home = TOFUD_HOME(std::string, proxy.groups_header),
       .shape = "NAME",
       .help = "The header in which such a proxy names the user's groups.",
       .effect = on_reload,
       .check = check_header_name},
      {.key = "proxy.allow_groups",
       .flag = "--allow-group",
       .type = option_type::list,
       .home = TOFUD_HOME(texts, proxy.allow_groups),
       .shape = "GROUP",
       .help = "Groups whose members may use the daemon; an empty list: every user that the proxy "
               "names.",
       .effect = on_reload,
       .check = check_word},
      {.key = "proxy.group_stacks",
       .flag = "--group-stacks",
       .type = option_type::list,
       .home = TOFUD_HOME(texts, proxy.group_stacks),
       .shape = "GROUP=PATTERN",
       .help =
           "Stacks that members of a group see, as a pattern such as net/*; * is every user. An "
           "empty list: every user sees every stack.",
       .effect = on_reload,
       .check = check_group_stacks},
      {.key = "proxy.user_scopes",
       .flag = "--user-scopes",
       .home = TOFUD_HOME(std::string, proxy.user_scopes),
       .shape = "LIST",
       .help = "Scopes of users that such a proxy names: read, ingest, raw.",
       .effect = on_reload,
       .check = check_scopes},
      {.key = "redact.provisioner_output",
       .flag = "--redact-provisioner-output",
       .home = TOFUD_HOME(std::string, redact.provisioner_output),
       .shape = "WHAT",
       .help = "Whether subscribers get provisioner output: show or hide; a change applies to what "
               "comes after it.",
       .effect = on_reload,
       .words = show_or_hide},
      {.key = "redact.snippet_values",
       .flag = "--redact-snippet-values",
       .home = TOFUD_HOME(std::string, redact.snippet_values),
       .shape = "WHAT",
       .help = "Whether subscribers get the values in the source snippet of a diagnostic: show or "
               "hide; a change applies to what comes after it.",
       .effect = on_reload,
       .words = show_or_hide},
      {.key = "retain.days",
       .flag = "--retain-days",
       .type = option_type::count,
       .home = TOFUD_HOME(std::uint64_t, retain.days),
       .shape = "DAYS",
       .help = "How many days finished runs are kept.",
       .effect = on_reload,
       .most = limits::retained_days_longest},
      {.key = "retain.runs",
       .flag = "--retain-runs",
       .type = option_type::count,
       .home = TOFUD_HOME(std::uint64_t, retain.runs),
       .shape = "N",
       .help = "How many finished runs are kept.",
       .effect = on_reload},
      {.key = "retain.bytes",
       .flag = "--retain-bytes",
       .type = option_type::size,
       .home = TOFUD_HOME(std::uint64_t, retain.bytes),
       .shape = "SIZE",
       .help = "How many bytes of finished runs are kept on disk.",
       .effect = on_reload},
      {.key = "retain.operations",
       .flag = "--retain-operations",
       .type = option_type::count,
       .home = TOFUD_HOME(std::uint64_t, retain.operations),
       .shape = "N",
       .help = "How many durations of operations are kept, also of runs that are removed.",
       .effect = on_reload},
      {.key = "log.format",
       .flag = "--log-format",
       .home = TOFUD_HOME(std::string, log.format),
       .shape = "FORMAT",
       .help = "Format of the log on standard error: auto, text, json or journal.",
       .words = {"auto", "text", "json", "journal"}},
      {.key = "log.level",
       .flag = "--log-level",
       .home = TOFUD_HOME(std::string, log.level),
       .shape = "LEVEL",
       .help = "Lowest level that is logged: debug, info, warning or error.",
       .effect = on_reload,
       .words = {"debug", "info", "warning", "error"}},
      {.key = "audit.file",
       .flag = "--audit-file",
       .type = option_type::path,
       .home = TOFUD_HOME(std::string, audit.file),
       .shape = "FILE",
       .help = "File of who watched, exported, sent, removed and was refused what, a line of JSON "
               "each; empty: none is kept.",
       .words = {""}},
      {.key = "metrics.stacks",
       .flag = "--metrics-stacks",
       .type = option_type::boolean,
       .home = TOFUD_HOME(bool, metrics.stacks),
       .help = "Whether metrics have the outcome of each stack, and so its name."},
      {.key = "archive.to",
       .flag = "--archive",
       .home = TOFUD_HOME(std::string, archive.to),
       .shape = "PLACE",
       .help =
           "Directory, or bucket as in s3://BUCKET/PREFIX, that ended runs are copied to, where "
           "retention leaves them; empty: none.",
       .check = check_archive},
      {.key = "archive.endpoint",
       .flag = "--archive-endpoint",
       .home = TOFUD_HOME(std::string, archive.endpoint),
       .shape = "URL",
       .help =
           "The S3 service that has the bucket, such as https://s3.example.com; empty: Amazon's.",
       .check = check_archive_endpoint},
      {.key = "archive.region",
       .flag = "--archive-region",
       .home = TOFUD_HOME(std::string, archive.region),
       .shape = "NAME",
       .help = "The region of the bucket, which is a part of what is signed.",
       .check = check_region},
      {.key = "archive.credentials_file",
       .flag = "--archive-credentials-file",
       .type = option_type::path,
       .home = TOFUD_HOME(std::string, archive.credentials_file),
       .shape = "FILE",
       .help =
           "File of credentials for the bucket as `aws configure` writes it, section [default]; "
           "it is read again for each run.",
       .words = {""}},
      {.key = "archive.ca_file",
       .flag = "--archive-ca-file",
       .type = option_type::path,
       .home = TOFUD_HOME(std::string, archive.ca_file),
       .shape = "FILE",
       .help = "Authorities, in PEM format, that the service's certificate is verified by; empty: "
               "those of the system.",
       .words = {""}},
      {.key = "limits.connections",
       .flag = "--limits-connections",
       .type = option_type::count,
       .home = TOFUD_HOME(std::uint64_t, limits.connections),
       .shape = "N",
       .help = "Open connections at a time; never more than the process may have descriptors.",
       .least = 1,
       .most = limits::connections_most},
      {.key = "limits.connections_per_address",
       .flag = "--limits-connections-per-address",
       .type = option_type::count,
       .home = TOFUD_HOME(std::uint64_t, limits.connections_per_address),
       .shape = "N",
       .help = "Open connections from one address of another machine.",
       .least = 1,
       .most = limits::connections_most},
      {.key = "limits.live_runs",
       .flag = "--limits-live-runs",
       .type = option_type::count,
       .home = TOFUD_HOME(std::uint64_t, limits.live_runs),
       .shape = "N",
       .help = "Running runs at a time; the sender of one more has to wait.",
       .effect = on_reload,
       .least = 1,
       .most = limits::live_runs_most},
      {.key = "limits.live_runs_per_address",
       .flag = "--limits-live-runs-per-address",
       .type = option_type::count,
       .home = TOFUD_HOME(std::uint64_t, limits.live_runs_per_address),
       .shape = "N",
       .help = "Running runs from one address of another machine; behind a proxy that does not "
               "name its clients, of one token.",
       .effect = on_reload,
       .least = 1,
       .most = limits::live_runs_most},
      {.key = "limits.lines_bytes",
       .flag = "--limits-lines-bytes",
       .type = option_type::size,
       .home = TOFUD_HOME(std::uint64_t, limits.lines_bytes),
       .shape = "SIZE",
       .help = "Bytes of one run's logs and texts in memory; older ones are read from disk.",
       .least = limits::lines_bytes_least,
       .most = limits::lines_bytes_most},
      {.key = "limits.all_lines_bytes",
       .flag = "--limits-all-lines-bytes",
       .type = option_type::size,
       .home = TOFUD_HOME(std::uint64_t, limits.all_lines_bytes),
       .shape = "SIZE",
       .help = "Bytes of all runs' logs and texts in memory; each run keeps its newest lines.",
       .least = limits::lines_bytes_least,
       .most = limits::lines_bytes_most},
      {.key = "limits.loaded_bytes",
       .flag = "--limits-loaded-bytes",
       .type = option_type::size,
       .home = TOFUD_HOME(std::uint64_t, limits.loaded_bytes),
       .shape = "SIZE",
       .help = "Bytes of all runs' rows in memory. Beyond it idle runs are unloaded and read from "
               "disk on demand, and the sender of a new run has to wait.",
       .least = limits::lines_bytes_least,
       .most = limits::lines_bytes_most},
      {.key = "limits.memory_bytes",
       .flag = "--limits-memory-bytes",
       .type = option_type::size,
       .home = TOFUD_HOME(std::uint64_t, limits.memory_bytes),
       .shape = "SIZE",
       .help = "Bytes in memory for all clients: rows, logs, requests and answers. Beyond it "
               "clients have to wait, and the largest runs are stored without being shown.",
       .least = limits::lines_bytes_least,
       .most = limits::lines_bytes_most},
      {.key = "limits.header_bytes",
       .flag = "--limits-header-bytes",
       .type = option_type::size,
       .home = TOFUD_HOME(std::uint64_t, limits.header_bytes),
       .shape = "SIZE",
       .help = "Largest header of a request.",
       .least = limits::header_bytes_least,
       .most = limits::header_bytes_most},
      {.key = "limits.header_time",
       .flag = "--limits-header-time",
       .type = option_type::duration,
       .home = TOFUD_HOME(time_span, limits.header_time),
       .shape = "TIME",
       .help = "Time from a connection's first byte to the end of its request's header.",
       .least = shortest,
       .most = longest},
      {.key = "limits.body_stalled_after",
       .flag = "--limits-body-stalled-after",
       .type = option_type::duration,
       .home = TOFUD_HOME(time_span, limits.body_stalled_after),
       .shape = "TIME",
       .help = "Time without data after which a small request body is given up; streams have no "
               "such limit.",
       .least = shortest,
       .most = in_ms(limits::body_time)},
      {.key = "limits.client_message_bytes",
       .flag = "--limits-client-message-bytes",
       .type = option_type::size,
       .home = TOFUD_HOME(std::uint64_t, limits.client_message_bytes),
       .shape = "SIZE",
       .help = "Largest message that a subscriber may send.",
       .least = limits::client_message_bytes_least,
       .most = limits::client_message_bytes_most},
      {.key = "limits.stalled_after",
       .flag = "--limits-stalled-after",
       .type = option_type::duration,
       .home = TOFUD_HOME(time_span, limits.stalled_after),
       .shape = "TIME",
       .help = "Time after which a client that reads nothing is disconnected.",
       .least = shortest,
       .most = longest},
  };
  return all;
}

#undef TOFUD_HOME

bool is_among(const std::string& text, const std::vector<std::string_view>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// Paths are not repeated: what stands there by mistake may be the secret itself.
std::string refusal_of_path(const option& of, const std::string& path, relative_paths paths) {
  if (is_among(path, of.words)) return "";
  if (path.empty()) return "is empty; write a path, or " + listed(of.words);
  if (paths == relative_paths::refused && path.front() != '/')
    return "is not an absolute path; in a file it must begin with /";
  return "";
}

std::string refusal_of_text(const option& of, const std::string& text, relative_paths paths) {
  if (!text::valid_utf8(text)) return "is not UTF-8";
  if (has_control_character(text)) return "contains a control character";
  if (of.type == option_type::path) return refusal_of_path(of, text, paths);
  if (!of.words.empty() && !is_among(text, of.words))
    return "is " + toml_string(text) + "; use " + listed(of.words);
  if (of.check == nullptr) return "";
  const std::string why = of.check(text);
  return why.empty() ? "" : "has " + toml_string(text) + ", which " + why;
}

std::string refusal_of_number(const option& of, std::uint64_t number) {
  if (number < of.least)
    return "is " + number_in_words(of, number) + "; it is at least " +
           number_in_words(of, of.least);
  if (number > of.most)
    return "is " + number_in_words(of, number) + "; it is at most " + number_in_words(of, of.most);
  return "";
}

std::string refusal_of_list(const option& of, const std::vector<std::string>& list,
                            relative_paths paths) {
  const std::uint64_t most = std::min<std::uint64_t>(of.most, limits::config_list_values);
  if (list.size() > most) {
    return "has " + std::to_string(list.size()) + " values; it may have " + std::to_string(most);
  }
  for (const std::string& each : list) {
    if (auto why = refusal_of_text(of, each, paths); !why.empty()) return why;
  }
  return "";
}

template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;

}  // namespace

const std::vector<option>& options() {
  static const std::vector<option> all = make_options();
  return all;
}

const option* find_option(std::string_view key) {
  for (const option& each : options()) {
    if (each.key == key) return &each;
  }
  return nullptr;
}

std::string_view section_of(const option& of) {
  const std::size_t dot = of.key.find('.');
  return dot == of.key.npos ? std::string_view{} : of.key.substr(0, dot);
}

std::string_view name_of(const option& of) {
  const std::size_t dot = of.key.find('.');
  return dot == of.key.npos ? of.key : of.key.substr(dot + 1);
}

std::string variable_of(const option& of) {
  std::string name{"TOFUD_"};
  for (const char c : of.flag.substr(2)) {
    if (c == '-') {
      name += '_';
    } else {
      name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
  }
  return name;
}

value value_in(const settings& from, const option& of) {
  // The homes take what may be changed; here nothing is.
  auto& in = const_cast<settings&>(from);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return std::visit([&in](auto home) -> value { return home(in); }, of.home);
}

void set_value(settings& in, const option& of, const value& to) {
  std::visit(
      [&](auto home) {
        auto& member = home(in);
        member = std::get<std::remove_reference_t<decltype(member)>>(to);
      },
      of.home);
}

value default_of(const option& of) { return value_in(settings{}, of); }

std::string toml_text(const option& of, const value& from) {
  return std::visit(overloaded{[](bool yes) { return std::string{yes ? "true" : "false"}; },
                               [&of](std::uint64_t number) {
                                 if (of.type == option_type::size)
                                   return toml_string(size_text(number));
                                 return std::to_string(number);
                               },
                               [](time_span time) { return toml_string(duration_text(time)); },
                               [](const std::string& text) { return toml_string(text); },
                               [](const std::vector<std::string>& list) {
                                 std::string all = "[";
                                 for (const std::string& each : list) {
                                   if (all.size() > 1) all += ", ";
                                   all += toml_string(each);
                                 }
                                 return all + "]";
                               }},
                    from);
}

std::string refusal_of(const option& of, const value& wanted, relative_paths paths) {
  return std::visit(
      overloaded{
          [](bool) { return std::string{}; },
          [&of](std::uint64_t number) { return refusal_of_number(of, number); },
          [&of](time_span time) {
            return refusal_of_number(of, static_cast<std::uint64_t>(time.count()));
          },
          [&](const std::string& text) { return refusal_of_text(of, text, paths); },
          [&](const std::vector<std::string>& list) { return refusal_of_list(of, list, paths); }},
      wanted);
}

namespace {

boost::system::result<value, wrong_value> parse_scalar(const option& of, const std::string& text) {
  switch (of.type) {
    case option_type::boolean:
      if (text == "true" || text == "yes" || text == "1" || text == "on") return value{true};
      if (text == "false" || text == "no" || text == "0" || text == "off") return value{false};
      return wrong_value{"is " + toml_string(text) + "; it may be true or false"};
    case option_type::count: {
      const auto number = text::parse_whole_number<std::uint64_t>(text);
      if (!number) return wrong_value{"is " + toml_string(text) + ", which is not a whole number"};
      return value{*number};
    }
    case option_type::size: {
      const auto bytes = parse_size(text);
      if (!bytes) return wrong_value{"is " + toml_string(text) + ", which " + bytes.error().why};
      return value{*bytes};
    }
    case option_type::duration: {
      const auto time = parse_duration(text);
      if (!time) return wrong_value{"is " + toml_string(text) + ", which " + time.error().why};
      return value{*time};
    }
    case option_type::text:
    case option_type::path:
    case option_type::list:
      break;
  }
  return value{text};
}

}  // namespace

boost::system::result<value, wrong_value> parse_value(const option& of,
                                                      const std::vector<std::string>& given,
                                                      relative_paths paths) {
  value made;
  if (of.type == option_type::list) {
    made = given;
  } else {
    if (given.size() != 1) return wrong_value{"is given more than once"};
    auto parsed = parse_scalar(of, given.front());
    if (!parsed) return parsed.error();
    made = std::move(*parsed);
  }
  if (auto why = refusal_of(of, made, paths); !why.empty()) return wrong_value{std::move(why)};
  return made;
}

}  // namespace tofud::settings
