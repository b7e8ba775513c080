// The cards of the stacks as rows of the wall.
#pragma once

#include "daemon/fanout/wall.hpp"
#include "daemon/wall/stack_cards.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::serve {

/// Told what is known of runs, it changes the rows of the stacks that look different then.
class stack_wall {
 public:
  /// `on` outlives it.
  explicit stack_wall(fanout::wall& on) : wall_{on} {}

  void update(const wall::run_facts& run) { show(cards_.update(run)); }
  void forget(std::string_view run) { show(cards_.forget(run)); }
  /// Its row gets a new number, whether or not it looks different.
  void touch(const std::string& stack) { show({stack}); }
  const wall::stack_cards& cards() const { return cards_; }

 private:
  void show(const std::vector<std::string>& changed);

  fanout::wall& wall_;
  wall::stack_cards cards_;
  std::map<std::string, feed::row_number> rows_;  // by stack
};

}  // namespace tofud::serve
