// What can be wrong with sockets that a service manager gives, and with the audit file.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::operations {

enum class error : std::uint8_t { no_sockets, no_stream_socket, audit_not_opened };

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::operations
