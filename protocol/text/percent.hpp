// Percent-encoding of parts of URLs (RFC 3986, 2.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofud::text {

/// Appends `text` with everything but letters, digits and `-_.~` encoded.
void append_percent_encoded(std::string& out, std::string_view text);

/// Nothing if a `%` is not followed by two hexadecimal digits. `+` stays: it stands for a space in
/// forms only, and is a letter of provider names and keys.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace tofud::text
