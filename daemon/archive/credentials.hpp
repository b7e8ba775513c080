// Who tofud is for a bucket.
#pragma once

#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>

namespace tofud::archive {

struct credentials {
  std::string key_id, secret;
  std::string session_token;  // empty: it needs none
};

/// The section [default] of a file as `aws configure` writes it: aws_access_key_id,
/// aws_secret_access_key, aws_session_token. The failure names no value.
text::result<credentials> read_credentials(const std::string& path);

}  // namespace tofud::archive
