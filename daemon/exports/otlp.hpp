// A run as a trace of OpenTelemetry: the run, each operation in it, each provisioner in that.
#pragma once

#include "daemon/exports/run_rows.hpp"
#include "protocol/events/trace_parent.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::exports {

/// What the rows do not say.
struct trace_surroundings {
  /// Attributes of the service that sends it, such as {"service.name", "tofud"}.
  std::vector<std::pair<std::string, std::string>> resource;
  std::optional<events::trace_parent> parent;
  std::string page;  // of the run; empty: none
};

/// Bodies of requests to `/v1/traces` of OTLP/HTTP in its JSON encoding, of at most
/// limits::otlp_spans spans each and about `room` bytes together: what is left out is counted in
/// an attribute of the run's span. A run always has the same ids, so a request may be sent twice.
/// Empty: the run has no beginning.
/// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding; names by
/// https://opentelemetry.io/docs/specs/semconv/cicd/cicd-spans and OpenTofu 1.12.6, internal/tofu.
struct trace_requests {
  std::vector<std::string> bodies;
  std::uint64_t spans = 0, left_out = 0;
};
trace_requests otlp_traces(const run_rows& run, const trace_surroundings& around, std::size_t room);

/// "success", "failure", "cancellation", "error" (it is not known how it ended); for metrics, too.
std::string_view pipeline_result(feed::run_status status);

/// The value of an attribute as OTLP's JSON has it: {"key":K,"value":{"stringValue":V}}.
boost::json::object otlp_attribute(std::string_view key, std::string_view value);
/// 64-bit numbers are strings there.
std::string otlp_time(ui::time_point at);
/// {"attributes":[…]} of the service.
boost::json::object otlp_resource(
    const std::vector<std::pair<std::string, std::string>>& attributes);
/// {"name":"tofud","version":…}: what made it.
boost::json::object otlp_scope();

}  // namespace tofud::exports
