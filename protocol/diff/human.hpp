// A change of a value in the text OpenTofu prints for people.
#pragma once

#include "protocol/diff/change.hpp"
#include "protocol/text/ink.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace tofud::diff {

/// Makes a piece of text from outside fit for where it goes. Asked only of what is not quoted:
/// lines of longer texts.
using text_filter = std::function<std::string(std::string_view)>;

/// One line, or several of which all but the first begin with their indent. `change` is one worth
/// drawing.
std::string draw(const change& change, const text::ink& pen, const text_filter& filter);

}  // namespace tofud::diff
