// What can be wrong with an archive.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::archive {

enum class error : std::uint8_t {
  no_place,
  bad_endpoint,
  bad_credentials,
  no_credentials,
  no_curl,
  old_curl,
  curl_refuses,
  bucket_unreached,
  bucket_refuses,
  bucket_refuses_with,
  given_up,
  too_large,
  not_mounted,
  shortened,
  not_whole,
  not_archived,
  archived_elsewhere,
  not_removed
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::archive
