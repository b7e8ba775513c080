// What can be wrong with what a sender says of a run.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::upload {

enum class error : std::uint8_t {
  no_json,
  no_object,
  no_text,
  too_long,
  missing,
  bad_labels,
  bad_label,
  other_protocol,
  bad_time,
  unnamed_label,
  long_label,
  too_many_labels,
  bad_naming_line,
  long_stack,
  bad_named_label
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::upload
