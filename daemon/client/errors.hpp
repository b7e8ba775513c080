// What can be wrong with the place of a daemon, with what it is shown and with its answer.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::client {

enum class error : std::uint8_t {
  bad_socket,
  long_socket,
  zero_byte,
  more_than_a_place,
  bad_path,
  no_port,
  bad_port,
  not_encrypted,
  bad_host,
  no_address,
  unreadable_token,
  no_token_in_file,
  no_token,
  no_job_token,
  no_answer
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::client
