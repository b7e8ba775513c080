// `/stacks`: every stack in a line, with what somebody may have to do about it.
#pragma once

#include "daemon/wall/stack_summary.hpp"
#include "protocol/ui/timestamp.hpp"

#include <string>
#include <vector>

namespace tofud::pages {

struct stack_list {
  std::vector<wall::stack_summary> stacks;  // by name
  bool has_more = false;                    // than limits::listed_stacks_most
  ui::time_point now;
};

std::string stack_list_page(const stack_list& list);

}  // namespace tofud::pages
