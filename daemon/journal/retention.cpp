#include "daemon/journal/retention.hpp"

#include "daemon/journal/limits.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace tofud::journal {
namespace {

using keeper = std::function<bool(const std::string& run)>;

enum class measure : std::uint8_t { runs, bytes };

/// Whose runs go when there are too many: of the sender that has most, of its stack that has most,
/// the oldest. So who sends much pushes out what it has sent itself.
class crowd {
 public:
  /// `all` from the oldest to the newest.
  crowd(const std::vector<const retained_run*>& all, measure by, const keeper& keep)
      : by_{by}, keep_{keep} {
    std::map<std::string_view, std::size_t> newer;  // of each stack
    std::vector<bool> is_new(all.size());
    for (std::size_t i = all.size(); i-- > 0;)
      is_new[i] = newer[all[i]->stack]++ < limits::retained_of_a_stack;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const retained_run& run = *all[i];
      pile& its = senders_[run.sender];
      its.weight += weight(run);
      stack_pile& stack = its.stacks[run.stack];
      stack.weight += weight(run);
      if (run.over_at) (is_new[i] ? stack.newest : stack.older).push_back(&run);
    }
  }

  /// Takes one out of what the sender has that has most; null: none may go.
  const retained_run* take() {
    if (senders_by_weight_.empty() && !std::exchange(ranked_, true)) {
      for (const auto& [sender, its] : senders_) senders_by_weight_.emplace(its.weight, sender);
    }
    while (!senders_by_weight_.empty()) {
      const std::string_view sender = senders_by_weight_.begin()->second;
      senders_by_weight_.erase(senders_by_weight_.begin());
      pile& its = senders_.find(sender)->second;
      const retained_run* found = take_of(its, its.older, false);
      if (found == nullptr) found = take_of(its, its.newest, true);
      if (found == nullptr) continue;
      its.weight -= weight(*found);
      senders_by_weight_.emplace(its.weight, sender);
      return found;
    }
    return nullptr;
  }

 private:
  using ranking = std::set<std::pair<std::uint64_t, std::string_view>, std::greater<>>;
  struct stack_pile {
    std::uint64_t weight = 0;
    std::vector<const retained_run*> older, newest;  // from the oldest on
    std::size_t older_taken = 0, newest_taken = 0;
  };
  struct pile {
    std::uint64_t weight = 0;
    std::map<std::string_view, stack_pile> stacks;
    std::optional<ranking> older, newest;  // stacks that may have some
  };

  std::uint64_t weight(const retained_run& run) const {
    return by_ == measure::runs ? 1 : run.disk_bytes;
  }

  /// Of the heaviest stack that has any.
  const retained_run* take_of(pile& its, std::optional<ranking>& from, bool newest) const {
    if (!from) {
      from.emplace();
      for (const auto& [name, stack] : its.stacks) from->emplace(stack.weight, name);
    }
    while (!from->empty()) {
      const std::string_view name = from->begin()->second;
      from->erase(from->begin());
      stack_pile& stack = its.stacks.find(name)->second;
      const retained_run* found = next(stack, newest);
      if (found == nullptr) continue;
      stack.weight -= weight(*found);
      from->emplace(stack.weight, name);
      return found;
    }
    return nullptr;
  }

  const retained_run* next(stack_pile& of, bool newest) const {
    const auto& from = newest ? of.newest : of.older;
    std::size_t& taken = newest ? of.newest_taken : of.older_taken;
    while (taken < from.size()) {
      const retained_run* one = from[taken++];
      if (!keep_(one->id)) return one;
    }
    return nullptr;
  }

  measure by_;
  const keeper& keep_;
  std::map<std::string_view, pile> senders_;
  ranking senders_by_weight_;
  bool ranked_ = false;
};

}  // namespace

std::vector<std::string> beyond(const retention& kept, std::vector<retained_run> runs,
                                ui::time_point now, const keeper& keep, look which) {
  std::sort(runs.begin(), runs.end(), [](const retained_run& a, const retained_run& b) {
    return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id);
  });
  std::vector<const retained_run*> old, left;
  for (const auto& run : runs) {
    const bool is_old = run.over_at && !run.waits && kept.age && now - *run.over_at > *kept.age;
    (is_old && !keep(run.id) ? old : left).push_back(&run);
  }
  std::set<const retained_run*> removed{old.begin(), old.end()};
  if (which == look::first && old.size() * 100 > runs.size() * limits::retained_jump_percent) {
    removed.clear();
    left.clear();
    for (const auto& run : runs) left.push_back(&run);
  }
  std::set<std::string_view> waiting;
  for (const auto& run : runs) {
    if (run.waits) waiting.insert(run.id);
  }
  const keeper keep_waiting = [&](const std::string& run) {
    return waiting.contains(run) || keep(run);
  };
  const auto remove_beyond = [&](measure by, std::uint64_t most) {
    std::uint64_t sum = 0;
    std::vector<const retained_run*> there;
    for (const retained_run* run : left) {
      if (removed.contains(run)) continue;
      there.push_back(run);
      if (run->over_at) sum += by == measure::runs ? 1 : run->disk_bytes;
    }
    if (sum <= most) return;
    crowd all{there, by, by == measure::runs ? keep_waiting : keep};
    while (sum > most) {
      const retained_run* run = all.take();
      if (run == nullptr) return;
      removed.insert(run);
      sum -= by == measure::runs ? 1 : run->disk_bytes;
    }
  };
  if (kept.runs) remove_beyond(measure::runs, *kept.runs);
  if (kept.bytes) remove_beyond(measure::bytes, *kept.bytes);
  std::vector<std::string> ids;
  for (const auto& run : runs) {
    if (removed.contains(&run)) ids.push_back(run.id);
  }
  return ids;
}

}  // namespace tofud::journal
