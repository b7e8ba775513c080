// The options of a configuration file, as a manual page has them.
#pragma once

#include <string>

namespace tofud::cli {

/// In mdoc(7): a subsection for each section of the file, with all that the table of options knows
/// of each of them.
std::string options_manual();

}  // namespace tofud::cli
