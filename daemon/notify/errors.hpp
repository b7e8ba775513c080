// What can be wrong with rules about who is told, and with telling.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::notify {

enum class error : std::uint8_t {
  bad_report,
  no_url,
  bad_url,
  bad_secret,
  unreadable,
  empty_file,
  no_recipient,
  no_command,
  same_name,
  not_opened,
  database,
  no_rule,
  no_message,
  bad_status,
  gone,
  redirect,
  unanswered,
  not_started,
  command_failed,
  command_late
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::notify
