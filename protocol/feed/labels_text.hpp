// Labels as one text, for places that compare and store them.
#pragma once

#include "protocol/feed/row.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tofud::feed {

/// `KEY=VALUE` in lines, in order of the keys, whatever order they came in: equal labels have equal
/// texts. None of them holds a newline.
std::string labels_text(std::vector<label> labels);
/// What is no such line is left out.
std::vector<label> parse_labels_text(std::string_view text);

}  // namespace tofud::feed
