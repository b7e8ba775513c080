// Text from outside on its way to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace tofud::terminal {

/// What may stay of control sequences: nothing, or colour (SGR, `ESC [ … m`) with a reset at the
/// end.
enum class colours : bool { strip, keep };

/// Removes what could steer a terminal: C0 and C1 controls but tab and newline, escape sequences of
/// every kind, bidirectional overrides. Bytes that are no UTF-8 become U+FFFD.
std::string sanitize(std::string_view text, colours wanted);

}  // namespace tofud::terminal
