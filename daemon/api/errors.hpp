// What can be wrong with what is asked about runs.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::api {

enum class error : std::uint8_t { no_status, no_label, no_time, fault };

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::api
