#include "daemon/telemetry/destination.hpp"

#include "daemon/client/server_token.hpp"
#include "daemon/files/regular_file.hpp"
#include "daemon/net/tls_client.hpp"
#include "daemon/operations/version.hpp"
#include "daemon/telemetry/errors.hpp"
#include "protocol/text/percent.hpp"
#include "protocol/text/whole_number.hpp"

#include <algorithm>
#include <cstdint>

namespace tofud::telemetry {
namespace {

using pairs = std::vector<std::pair<std::string, std::string>>;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(first);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

/// Both stay in the line that they stand in.
bool is_header(std::string_view name, const std::string& value) {
  constexpr std::string_view good =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";
  return !name.empty() && name.find_first_not_of(good) == name.npos &&
         std::all_of(value.begin(), value.end(),
                     [](unsigned char c) { return c == '\t' || (c >= ' ' && c != 0x7f); });
}

/// "key1=value1,key2=value2", values percent-encoded, as in W3C Baggage.
std::optional<pairs> pairs_in(std::string_view text) {
  pairs read;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view one = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.empty()) continue;
    const std::size_t equals = one.find('=');
    if (equals == one.npos || equals == 0) return {};
    auto value = text::percent_decoded(trimmed(one.substr(equals + 1)));
    if (!value) return {};
    read.emplace_back(trimmed(one.substr(0, equals)), std::move(*value));
  }
  return read;
}

class reader {
 public:
  reader(const wishes& given, const stack::environment& env) : given_{given}, env_{env} {}

  text::result<destination> read() {
    destination made;
    std::string off = variable("OTEL_SDK_DISABLED");
    std::transform(off.begin(), off.end(), off.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (off == "true") return made;
    if (auto wrong = add(made.traces, "TRACES", "/v1/traces"); !wrong.empty()) return wrong;
    if (auto wrong = add(made.metrics, "METRICS", "/v1/metrics"); !wrong.empty()) return wrong;
    if (made.is_on()) {
      auto service = service_attributes(env_);
      if (!service) return service.error();
      made.resource = std::move(*service);
    }
    return made;
  }

 private:
  std::string variable(const std::string& name) const { return env_(name.c_str()).value_or(""); }
  /// Of one signal, else of all; and which of both it was.
  std::pair<std::string, std::string> of_signal(const std::string& signal,
                                                const std::string& what) const {
    const std::string own = "OTEL_EXPORTER_OTLP_" + signal + "_" + what;
    if (std::string value = variable(own); !value.empty()) return {own, std::move(value)};
    const std::string all = "OTEL_EXPORTER_OTLP_" + what;
    return {all, variable(all)};
  }

  text::failure add(std::optional<signal>& to, const std::string& name, const std::string& path) {
    const std::string exporter_name = "OTEL_" + name + "_EXPORTER";
    const std::string exporter = variable(exporter_name);
    if (exporter == "none") return {};
    std::string from = "OTEL_EXPORTER_OTLP_" + name + "_ENDPOINT";
    std::string url = variable(from);
    if (!given_.endpoint.empty() || url.empty()) {
      from = given_.endpoint.empty() ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "otlp.endpoint";
      url = given_.endpoint.empty() ? variable(from) : given_.endpoint;
      if (url.empty()) return {};
      while (url.ends_with('/')) url.pop_back();
      url += path;
    }
    if (!exporter.empty() && exporter != "otlp")
      return {error::other_exporter, exporter_name, exporter};
    const auto [protocol_name, protocol] = of_signal(name, "PROTOCOL");
    if (protocol == "grpc") return {error::other_protocol, protocol_name, protocol};
    signal made;
    if (auto wrong = add_place(made, name, from, url); !wrong.empty()) return wrong;
    if (auto wrong = add_headers(made.headers, name); !wrong.empty()) return wrong;
    const auto [timeout_name, timeout] = of_signal(name, "TIMEOUT");
    if (!timeout.empty()) {
      const auto most = static_cast<std::uint64_t>(limits::otlp_longest_wait.count());
      const auto read = text::parse_whole_number<std::uint64_t>(timeout);
      if (!read || *read == 0 || *read > most) return {error::bad_timeout, timeout_name, most};
      made.wait = std::chrono::milliseconds{*read};
    }
    to = std::move(made);
    return {};
  }

  text::failure add_place(signal& to, const std::string& name, const std::string& from,
                          const std::string& url) {
    const std::string ca =
        given_.ca_file.empty() ? of_signal(name, "CERTIFICATE").second : given_.ca_file;
    auto tls = net::tls_client::open(ca);
    if (!tls) return tls.error();
    auto where = client::parse_web_url(url, std::move(*tls), client::plain_http::taken);
    if (!where) return {error::bad_endpoint, from};  // it may hold a password
    to.where = std::move(*where);
    return {};
  }

  text::failure add_headers(std::vector<client::header>& to, const std::string& signal) {
    const auto [name, value] = of_signal(signal, "HEADERS");
    const auto read = pairs_in(value);
    if (!read) return {error::bad_pairs, name};
    for (const auto& [key, text] : *read) {
      if (!is_header(key, text)) return {error::bad_pairs, name};
      to.push_back({key, text});
    }
    return given_.headers_file.empty() ? text::failure{} : add_file(to);
  }

  text::failure add_file(std::vector<client::header>& to) {
    const auto text = files::read_regular_file(given_.headers_file, limits::otlp_variable_bytes);
    if (!text) return {error::unreadable, text.error()};
    for (std::string_view left = *text; !left.empty();) {
      const std::size_t end = std::min(left.find('\n'), left.size());
      const std::string_view line = trimmed(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
      if (line.empty()) continue;
      const std::size_t colon = std::min(line.find(':'), line.size());
      const std::string value{trimmed(line.substr(std::min(colon + 1, line.size())))};
      if (colon == line.size() || !is_header(line.substr(0, colon), value))
        return {error::bad_pairs, given_.headers_file};
      to.push_back({std::string{line.substr(0, colon)}, value});
    }
    return {};
  }

  const wishes& given_;
  const stack::environment& env_;
};

}  // namespace

text::result<pairs> service_attributes(const stack::environment& env) {
  constexpr const char* name = "OTEL_RESOURCE_ATTRIBUTES";
  const auto read = pairs_in(env(name).value_or(""));
  if (!read) return text::failure{error::bad_pairs, std::string{name}};
  pairs made = *read;
  const auto set = [&made](const std::string& key, const std::string& value) {
    std::erase_if(made, [&key](const auto& each) { return each.first == key; });
    made.emplace_back(key, value);
  };
  const bool is_named = std::any_of(made.begin(), made.end(),
                                    [](const auto& each) { return each.first == "service.name"; });
  const std::string service = env("OTEL_SERVICE_NAME").value_or("");
  if (!service.empty() || !is_named) set("service.name", service.empty() ? "tofud" : service);
  set("service.version", operations::version);
  return made;
}

text::result<destination> destination_by(const wishes& given, const stack::environment& env) {
  return reader{given, env}.read();
}

}  // namespace tofud::telemetry
