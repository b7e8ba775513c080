// What can be wrong with places of a configuration (`tofud blocks --json`).
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::attachments {

enum class config_error : std::uint8_t {
  no_document,
  other_format,
  no_blocks,
  no_address,
  no_file,
  no_line
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(config_error what);

}  // namespace tofud::attachments
