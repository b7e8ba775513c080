// Stacks as data: what `GET /v1/stacks` and `GET /v1/stacks/NAME` answer.
#pragma once

#include "daemon/wall/stack_summary.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tofud {

/// One object, without a newline.
std::string to_json(const wall::stack_summary& of);

/// `{"stacks":[…],"next":…}`; `next` empty: that was all.
std::string stacks_json(const std::vector<wall::stack_summary>& all, std::string_view next);

/// A row for each, under a row of names. What a spreadsheet would take for a formula is text there.
std::string stacks_csv(const std::vector<wall::stack_summary>& all);

}  // namespace tofud
