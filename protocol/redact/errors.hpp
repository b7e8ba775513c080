// What can be wrong with a mask file.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::redact {

enum class error : std::uint8_t {
  no_object,
  no_version,
  other_version,
  no_salt,
  bad_salt,
  bad_provisioner_output,
  no_secrets,
  unnamed_secret,
  bad_secret
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::redact
