// Why a run is not sent.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::forward {

enum class error : std::uint8_t {
  hidden_values_gone,
  not_sent,
  sent_already,
  no_stream,
  compressed,
  no_daemon
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::forward
