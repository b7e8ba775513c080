// Text for manual pages, in mdoc(7).
#pragma once

#include <string>
#include <string_view>

namespace tofud::cli {

/// Text of lines of its own: none of it is a request or an escape, and no line is longer than
/// readers of the source like.
std::string mdoc_text(std::string_view said);

}  // namespace tofud::cli
