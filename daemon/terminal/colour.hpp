// Whether to colour what is printed.
#pragma once

#include <cstdint>
#include <functional>

namespace tofud::terminal {

/// `--color=auto|always|never`.
enum class colour_flag : std::uint8_t { automatic, always, never };

/// Value of an environment variable, or nullptr; passed in so that nobody depends on the process's
/// own. `::getenv` is one.
using environment = std::function<const char*(const char* name)>;

/// The flag beats everything; then NO_COLOR (not empty: none), then CLICOLOR_FORCE and FORCE_COLOR
/// (not empty and not "0": colours), then whether it is a terminal that is not dumb. The order of
/// no-color.org and bixense.com/clicolors.
bool wants_colour(colour_flag flag, bool to_terminal, const environment& env);

}  // namespace tofud::terminal
