// What can be wrong with where telemetry is sent.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::telemetry {

enum class error : std::uint8_t {
  bad_endpoint,
  bad_pairs,
  bad_timeout,
  other_protocol,
  other_exporter,
  unreadable,
  unanswered,
  bad_status,
  rejected,
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::telemetry
