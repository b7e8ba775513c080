#include "daemon/wall/known_runs.hpp"

#include "daemon/wall/for_the_newest.hpp"

#include <algorithm>
#include <cctype>

namespace tofud::wall {
namespace {

/// Takes the run out of the list of that name; an empty list goes.
template <typename Lists, typename Element>
void drop(Lists& lists, std::string_view name, const Element& element) {
  const auto found = lists.find(name);
  found->second.erase(element);
  if (found->second.empty()) lists.erase(found);
}

}  // namespace

std::string_view without_mark(std::string_view stack) {
  constexpr std::size_t size = 7;  // # and six digits
  if (stack.size() <= size) return stack;
  const std::string_view mark = stack.substr(stack.size() - size);
  const auto is_digit = [](unsigned char c) { return std::isxdigit(c) != 0; };
  const bool is_mark = mark.front() == '#' && std::all_of(mark.begin() + 1, mark.end(), is_digit);
  return is_mark ? stack.substr(0, stack.size() - size) : stack;
}

const std::string* path_of_lock(const run_facts& run) {
  if (!run.locked_out) return nullptr;
  const std::string& path = run.locked_out->lock.path;
  return path.find('/') == std::string::npos ? nullptr : &path;
}

bool known_runs::put(const run_facts& run, name_set& stacks) {
  auto& known = runs_[run.id];
  if (known) {
    if (*known == run) return false;
    concerned(*known, stacks);
    take_out(*known);
    *known = run;
  } else {
    known = std::make_unique<run_facts>(run);
  }
  put_in(*known);
  concerned(*known, stacks);
  return true;
}

bool known_runs::remove(std::string_view run, name_set& stacks) {
  const auto found = runs_.find(std::string{run});
  if (found == runs_.end()) return false;
  concerned(*found->second, stacks);
  take_out(*found->second);
  runs_.erase(found);
  return true;
}

void known_runs::put_in(const run_facts& run) {
  if (run.stack.empty()) return;
  stack_runs& stack = stacks_[run.stack];
  if (stack.all.empty()) alike_[std::string{without_mark(run.stack)}].insert(run.stack);
  stack.all.insert(&run);
  if (is_plan(run)) stack.plans.insert(&run);
  if (is_plan(run) && !run.is_partial && !run.from.is_of_pull_request)
    stack.whole_plans.insert(&run);
  if (is_apply(run)) stack.applies.insert(&run);
  if (is_plan(run) && !run.plan_made.empty()) made_[run.plan_made].insert(&run);
  if (!run.plan_taken.empty()) taken_[run.plan_taken].insert(&run);
  if (const std::string* path = path_of_lock(run)) {
    ++stack.lock_paths[*path];
    locked_[*path].insert(run.stack);
  }
}

void known_runs::take_out(const run_facts& run) {
  if (run.stack.empty()) return;
  stack_runs& stack = stacks_.find(run.stack)->second;
  stack.all.erase(&run);
  stack.plans.erase(&run);
  stack.whole_plans.erase(&run);
  stack.applies.erase(&run);
  if (is_plan(run) && !run.plan_made.empty()) drop(made_, run.plan_made, &run);
  if (!run.plan_taken.empty()) drop(taken_, run.plan_taken, &run);
  if (const std::string* path = path_of_lock(run); path && --stack.lock_paths[*path] == 0) {
    stack.lock_paths.erase(*path);
    drop(locked_, *path, run.stack);
  }
  if (!stack.all.empty()) return;
  drop(alike_, without_mark(run.stack), run.stack);
  stacks_.erase(run.stack);
}

void known_runs::concerned(const run_facts& run, name_set& stacks) const {
  if (run.stack.empty()) return;
  stacks.insert(run.stack);
  const auto add = [&](const run_list* others) {
    if (others == nullptr) return;
    for_the_newest(*others, [&](const run_facts& other) {
      stacks.insert(other.stack);
      return false;
    });
  };
  add(taken(run.plan_made));
  add(made(run.plan_taken));
  // A third one changes nothing for the first two.
  const name_set& others = alike(run.stack);
  if (others.size() <= 2) stacks.insert(others.begin(), others.end());
  for (const auto& [path, count] : stacks_.find(run.stack)->second.lock_paths) {
    const name_set& locked = locked_.find(path)->second;
    stacks.insert(locked.begin(), locked.end());
  }
}

const run_facts* known_runs::find(std::string_view run) const {
  const auto found = runs_.find(std::string{run});
  return found == runs_.end() ? nullptr : found->second.get();
}

const stack_runs* known_runs::of(std::string_view stack) const {
  const auto found = stacks_.find(stack);
  return found == stacks_.end() ? nullptr : &found->second;
}

const run_list* known_runs::made(std::string_view hash) const {
  const auto found = made_.find(hash);
  return found == made_.end() ? nullptr : &found->second;
}

const run_list* known_runs::taken(std::string_view hash) const {
  const auto found = taken_.find(hash);
  return found == taken_.end() ? nullptr : &found->second;
}

const name_set& known_runs::alike(std::string_view stack) const {
  static const name_set none;
  const auto found = alike_.find(without_mark(stack));
  return found == alike_.end() ? none : found->second;
}

std::vector<const run_list*> known_runs::locked_at(const std::string& path) const {
  std::vector<const run_list*> found;
  const auto stacks = locked_.find(path);
  if (stacks == locked_.end()) return found;
  for (const std::string& stack : stacks->second) found.push_back(&of(stack)->all);
  return found;
}

}  // namespace tofud::wall
