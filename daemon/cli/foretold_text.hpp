// What is foretold of an apply, in words.
#pragma once

#include "protocol/order/foretold.hpp"

#include <string>

namespace tofud::cli {

/// For a terminal or a file: lines.
std::string text_of(const order::foretold_apply& found);

/// For a pull request's comment, in GitHub's Markdown; empty: there is nothing to say. At most some
/// limits::foretold_named addresses of each kind.
std::string markdown_of(const order::foretold_apply& found);

}  // namespace tofud::cli
