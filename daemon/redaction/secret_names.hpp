// Which variables hold secrets, told by their names.
#pragma once

#include <string_view>

namespace tofud::redaction {

/// Whether a variable (or a key in a document of credentials) of this name holds a secret. A guess:
/// what it misses stands in a mask file, what it takes in vain is masked for nothing.
bool is_secret_name(std::string_view name);

/// Whether a value under such a name is none all the same: a switch, a duration, a size.
bool is_no_secret_value(std::string_view value);

}  // namespace tofud::redaction
