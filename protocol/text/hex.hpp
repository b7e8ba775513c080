// Bytes as hexadecimal digits, and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofud::text {

/// Two digits a byte, in lower case.
std::string to_hex(std::string_view bytes);

/// The bytes of `text`. Nothing if it is anything but pairs of digits in lower case.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace tofud::text
