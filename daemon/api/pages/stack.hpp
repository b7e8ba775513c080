// `/stacks/NAME`: one stack, its newest runs, and what takes long or fails there.
#pragma once

#include "protocol/feed/forecast.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/feed/stack_row.hpp"
#include "protocol/ui/timestamp.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::pages {

struct stack_view {
  std::string name;
  std::optional<feed::stack_row> card;     // nothing: nobody knows what its runs mean together
  std::vector<feed::run_view> runs;        // newest first; limits::runs_of_a_stack of them
  bool has_older = false;                  // there are more runs
  std::vector<feed::address_usual> usual;  // how long its resources take
  ui::time_point now;
  std::string problem;  // a sentence: what can't be shown; empty: none
};

std::string stack_page(const stack_view& shown);

/// The address of that page, as an attribute's value; `root` is where `/` is.
std::string href_of_stack(std::string_view name, std::string_view root);

}  // namespace tofud::pages
