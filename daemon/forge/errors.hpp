// What can be wrong between a job and the forge that started it.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::forge {

enum class error : std::uint8_t {
  no_forge,
  no_project,
  bad_api,
  bad_number,
  bad_commit,
  no_token,
  bad_token,
  unreadable_token,
  no_pull_request,
  no_commit,
  unanswered,
  refused,
  limited,
  bad_status,
  bad_answer,
  contended,
  no_room,
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::forge
