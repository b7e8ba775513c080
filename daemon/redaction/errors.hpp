// What can be wrong with what says which values are secret.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::redaction {

enum class error : std::uint8_t {
  short_line,
  short_value,
  mask_file,
  provisioner_output,
  unreadable_mask,
  bad_mask,
  unwritable_mask,
  bad_mask_file
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::redaction
