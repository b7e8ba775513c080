// What holds for everything that is read from a configuration file.
#pragma once

#include "protocol/config/block.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace tofud::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

/// In the file `f` and no further than its end.
inline void check_place(std::string_view text, const config::place& where) {
  const auto newlines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  require(where.file == "f");
  require(where.at.line >= 1 && where.at.line <= newlines + 1);
  require(where.at.column >= 1 && where.at.column <= text.size() + 1);
}

inline void check_target(std::string_view target) {
  // A literal key is at its end, if there is one.
  const std::size_t key = target.find('[');
  require(target.substr(0, key).find('.') != std::string_view::npos);
  require(key == std::string_view::npos || target.ends_with(']'));
}

inline void check_declared(std::string_view text, const config::file_blocks& found) {
  for (const config::problem& each : found.problems) {
    check_place(text, each.where);
    require(!each.what.empty());
  }
  for (const config::block& each : found.blocks) {
    check_place(text, each.at);
    require(!each.address.empty());
    for (const config::reference& made : each.references) {
      check_target(made.target);
    }
  }
}

}  // namespace tofud::fuzz
