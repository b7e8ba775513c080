// What can be wrong with NATS, and with what other daemons keep there.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::cluster {

enum class error : std::uint8_t {
  built_without,
  no_library,
  other_library,
  bad_option,
  not_connected,
  no_answer,
  no_jetstream,
  refused,
  foreign_stream,
  foreign_subjects,
  small_messages,
  other_writer,
  full,
  bad_record,
  bad_server,
  gap,
  made_elsewhere,
  diverged,
  busy,
  ended,
  no_document,
  wrong_clock,
  right_clock,
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::cluster
