// The runs a daemon knows, found again by what ties them together.
#pragma once

#include "daemon/wall/run_order.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tofud::wall {

/// The runs of a stack, by what they are. Each list may be long; only its newest part is looked at.
struct stack_runs {
  run_list all, plans, applies;
  run_list whole_plans;  // of these, those of all resources and of no pull request
  std::map<std::string, std::size_t> lock_paths;  // that its runs ran into, with how many did
};

/// A string of names in order; few.
using name_set = std::set<std::string>;

class known_runs {
 public:
  /// Takes the run, or what is new about it. Adds to `stacks` those whose cards may depend on it.
  /// False: nothing is new.
  bool put(const run_facts& run, name_set& stacks);
  /// False: there was none of that name.
  bool remove(std::string_view run, name_set& stacks);

  const run_facts* find(std::string_view run) const;
  /// Null: no run of that stack is known.
  const stack_runs* of(std::string_view stack) const;
  /// Finished plans that wrote the plan file with that hash, and runs that were given it. Null:
  /// none.
  const run_list* made(std::string_view hash) const;
  const run_list* taken(std::string_view hash) const;
  /// Stacks that have the same name but for their marks, `stack` among them.
  const name_set& alike(std::string_view stack) const;
  /// Lists of all stacks whose runs ran into the lock of that path.
  std::vector<const run_list*> locked_at(const std::string& path) const;
  std::size_t size() const { return runs_.size(); }

 private:
  using lists = std::map<std::string, run_list, std::less<>>;

  void put_in(const run_facts& run);
  void take_out(const run_facts& run);
  void concerned(const run_facts& run, name_set& stacks) const;

  std::unordered_map<std::string, std::unique_ptr<run_facts>> runs_;
  std::map<std::string, stack_runs, std::less<>> stacks_;
  lists made_, taken_;
  std::map<std::string, name_set, std::less<>> locked_;  // stacks by the path of a lock
  std::map<std::string, name_set, std::less<>> alike_;   // stacks by their names without a mark
};

/// The path of a lock that says which state it is: a relative one, as every local state has it,
/// says nothing across directories. Null: none.
const std::string* path_of_lock(const run_facts& run);

/// "github.com/acme/infra//net/prod@default#3f2a1b" without its mark: "…@default".
std::string_view without_mark(std::string_view stack);

}  // namespace tofud::wall
