// What a stack's card has to know of a run and its view does not say, as a line beside the view in
// the index: a run is not folded again to be shown on a card.
#pragma once

#include "daemon/wall/run_facts.hpp"

#include <string>
#include <string_view>

namespace tofud::serve {

/// {"kind":"facts",…} without a newline.
std::string to_text(const wall::run_facts& facts);

/// Adds what such a line says; false if it is none.
bool take_text(wall::run_facts& facts, std::string_view line);

}  // namespace tofud::serve
