// Why a snapshot of a fold can't be read.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::correlator {

enum class error : std::uint8_t { torn_snapshot, other_build, other_stream, other_attachments };

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::correlator
