// What can be wrong with an event.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::events {

enum class error : std::uint8_t {
  no_json,
  no_object,
  no_offset,
  bad_offset,
  no_event,
  bad_exit_status,
  no_key,
  long_label,
  bad_role,
  bad_part,
  bad_trace_parent
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::events
