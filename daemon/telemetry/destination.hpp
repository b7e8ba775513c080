// Where telemetry is sent, by the configuration and OpenTelemetry's own variables.
#pragma once

#include "daemon/client/message.hpp"
#include "daemon/client/web_url.hpp"
#include "daemon/stack/environment.hpp"
#include "daemon/telemetry/limits.hpp"
#include "protocol/text/failure.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tofud::telemetry {

/// Of one kind: traces or metrics.
struct signal {
  client::web_url where;
  std::vector<client::header> headers;
  std::chrono::milliseconds wait = limits::otlp_wait;
};

/// None of both: nothing is sent.
struct destination {
  std::optional<signal> traces, metrics;
  std::vector<std::pair<std::string, std::string>> resource;  // attributes of the service
  bool is_on() const { return traces || metrics; }
};

/// OTEL_SERVICE_NAME ("tofud" if it is not set), OTEL_RESOURCE_ATTRIBUTES, and the version.
text::result<std::vector<std::pair<std::string, std::string>>> service_attributes(
    const stack::environment& env);

/// What the configuration says.
struct wishes {
  std::string endpoint;      // http or https; empty: the variables say it
  std::string headers_file;  // a header NAME: VALUE on each line; empty: none
  std::string ca_file;       // empty: the system's authorities
};

/// `endpoint` and OTEL_EXPORTER_OTLP_ENDPOINT are the address before /v1/traces and /v1/metrics;
/// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and _METRICS_ENDPOINT are whole ones. Besides _HEADERS,
/// _TIMEOUT, _CERTIFICATE, _PROTOCOL, of both or of one; OTEL_TRACES_EXPORTER,
/// OTEL_METRICS_EXPORTER, OTEL_SDK_DISABLED, OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES:
/// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables and
/// https://opentelemetry.io/docs/specs/otel/protocol/exporter
text::result<destination> destination_by(const wishes& given, const stack::environment& env);

}  // namespace tofud::telemetry
