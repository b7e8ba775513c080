#include "daemon/serve/stack_wall.hpp"

#include "protocol/feed/stack_row.hpp"

namespace tofud::serve {

void stack_wall::show(const std::vector<std::string>& changed) {
  for (const std::string& stack : changed) {
    const auto row = rows_.find(stack);
    if (cards_.card(stack) == nullptr) {
      if (row == rows_.end()) continue;
      wall_.remove(row->second);
      rows_.erase(row);
    } else if (row == rows_.end()) {
      const auto encode = [this, stack](std::string& out, feed::sequence seq) {
        feed::encode(out, *cards_.card(stack), seq);
      };
      const auto number = wall_.add(feed::row_kind::stack, stack, encode);
      rows_.emplace(stack, number);
      wall_.changed(number);
    } else {
      wall_.changed(row->second);
    }
  }
}

}  // namespace tofud::serve
