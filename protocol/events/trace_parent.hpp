// What a run is a part of, in a trace that something else began.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofud::events {

/// https://www.w3.org/TR/trace-context/#traceparent-header, section 3.2.
struct trace_parent {
  std::string trace;     // 32 hexadecimal digits in lower case
  std::string span;      // 16 of them
  bool sampled = false;  // whether the rest of the trace is kept
  bool operator==(const trace_parent&) const = default;
};

/// Nothing if it is none, or of a version that says something else there.
std::optional<trace_parent> parse_trace_parent(std::string_view text);

/// "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".
std::string to_string(const trace_parent& of);

}  // namespace tofud::events
