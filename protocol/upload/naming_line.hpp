// The optional first line of raw bytes on the Unix socket:
//   {"tofud":{"stack":"net/prod","labels":{"pr":"12"},"command":"apply"}}
#pragma once

#include "protocol/text/failure.hpp"
#include "protocol/upload/create_request.hpp"

#include <boost/system/result.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace tofud::upload {

/// Nothing if the line is part of the stream. The failure: it is a name, and a wrong
/// one.
text::result<std::optional<create_request>> parse_naming_line(std::string_view line);

}  // namespace tofud::upload
