// One card per stack: what its runs mean together. Pure: facts in, cards out.
#pragma once

#include "daemon/wall/limits.hpp"
#include "daemon/wall/run_facts.hpp"
#include "daemon/wall/stack_summary.hpp"
#include "protocol/feed/stack_row.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::wall {

/// Holds the facts of the runs it was told of. What a card says is derived from them alone, in
/// whatever order they came. A change costs what the newest limits::runs_of_a_card runs of its
/// stack cost, however many runs there are.
class stack_cards {
 public:
  stack_cards();
  ~stack_cards();

  /// A run is new, or something about it is. Returns the stacks whose cards came, changed or went.
  std::vector<std::string> update(const run_facts& run);
  /// A run was removed.
  std::vector<std::string> forget(std::string_view run);

  /// Null: no run of that stack is known (any more). Valid until the next change.
  const feed::stack_row* card(std::string_view stack) const;
  /// The change that a plan or an apply belongs to, whether or not its stack's card shows it.
  /// Nothing for a run that is neither.
  std::optional<feed::stack_change> change_of(std::string_view run) const;
  /// Nothing: no run of that stack is known.
  std::optional<stack_summary> summary(std::string_view stack, ui::time_point now) const;
  /// Every stack that has a card, in order of their names.
  std::vector<std::string> stacks() const;
  std::size_t runs() const;

 private:
  struct memory;
  std::unique_ptr<memory> memory_;
};

}  // namespace tofud::wall
