// What is drawn of a change, as a block that GitHub colours.
#pragma once

#include "protocol/text/limits.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::diff {

/// A fenced block of `drawn`, which was drawn in colours: the signs of its lines are found by them.
/// Lines begin with `+`, `-`, `!` (changes) or a blank, and are cut at limits::markdown_word_bytes;
/// what is beyond `bytes` is counted in a last line.
std::string diff_fence(std::string_view drawn, std::size_t bytes);

}  // namespace tofud::diff
