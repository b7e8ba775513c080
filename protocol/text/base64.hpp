// Bytes as base64 (RFC 4648), and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofud::text {

/// With padding, without newlines.
std::string to_base64(std::string_view bytes);

/// Nothing if `text` is no base64 with padding.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace tofud::text
