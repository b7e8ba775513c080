// What can be wrong with certificates and keys.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::net {

enum class error : std::uint8_t {
  unreadable,
  no_file,
  too_large,
  no_certificate,
  bad_certificate,
  no_key,
  encrypted_key,
  bad_key,
  key_of_another,
  expired,
  not_yet_valid,
  unusable_certificate,
  no_tls
};

std::string_view sentence(error what);

}  // namespace tofud::net
