#include "daemon/wall/stack_cards.hpp"

#include "daemon/wall/changes.hpp"
#include "daemon/wall/drift.hpp"
#include "daemon/wall/for_the_newest.hpp"
#include "daemon/wall/known_runs.hpp"
#include "daemon/wall/lock_holder.hpp"
#include "daemon/wall/outcome.hpp"

#include <map>

namespace tofud::wall {
namespace {

using feed::run_status;

std::optional<feed::stack_lock> lock_of(const known_runs& known, const stack_runs& runs) {
  const run_facts* stopped = nullptr;
  for_the_newest(runs.all, [&](const run_facts& run) {
    if (run.locked_out) stopped = &run;
    // One that came after and had the lock: nothing is in the way any more.
    const bool had_it = run.apply_ran || (run.status == run_status::succeeded && weight(run) >= 2);
    return stopped != nullptr || had_it;
  });
  if (stopped == nullptr) return std::nullopt;
  std::vector<const run_list*> same_state{&runs.all};
  if (const std::string* path = path_of_lock(*stopped)) same_state = known.locked_at(*path);
  return holder_of(*stopped, same_state);
}

/// The newest that goes on says more than one that came and went meanwhile; else the last to end.
const run_facts& shown_run(const stack_runs& runs) {
  const run_facts* shown = newest(runs.all);
  for_the_last_to_end(runs.all, [&](const run_facts& run) {
    shown = &run;
    return true;
  });
  return *shown;
}

feed::stack_row card_of(const known_runs& known, const std::string& stack, const stack_runs& runs) {
  const run_facts& shown = shown_run(runs);
  feed::stack_row card;
  card.stack = stack;
  card.name = known.alike(stack).size() > 1 ? stack : std::string{without_mark(stack)};
  card.run = shown.id;
  card.status = shown.status;
  card.command = shown.command;
  card.phase = shown.phase;
  card.outcome = outcome_of(runs.all);
  card.change = shown_change(known, runs);
  card.contact = shown.contact;
  card.lock = lock_of(known, runs);
  card.drift = drift_of(runs);
  card.last_line_at = shown.last_line_at;
  card.started_at = shown.started_at;
  card.ended_at = shown.ended_at;
  card.clock_offset = shown.clock_offset;
  return card;
}

}  // namespace

struct stack_cards::memory {
  /// Returns those of `wanted` whose cards are other ones now.
  std::vector<std::string> refresh(const name_set& wanted);

  known_runs known;
  std::map<std::string, feed::stack_row, std::less<>> cards;
};

std::vector<std::string> stack_cards::memory::refresh(const name_set& wanted) {
  std::vector<std::string> changed;
  for (const std::string& stack : wanted) {
    const stack_runs* runs = known.of(stack);
    if (runs == nullptr) {
      if (cards.erase(stack) > 0) changed.push_back(stack);
      continue;
    }
    feed::stack_row card = card_of(known, stack, *runs);
    feed::stack_row& shown = cards[stack];
    if (card == shown) continue;
    shown = std::move(card);
    changed.push_back(stack);
  }
  return changed;
}

stack_cards::stack_cards() : memory_{std::make_unique<memory>()} {}
stack_cards::~stack_cards() = default;

std::vector<std::string> stack_cards::update(const run_facts& run) {
  name_set stacks;
  memory_->known.put(run, stacks);
  return memory_->refresh(stacks);
}

std::vector<std::string> stack_cards::forget(std::string_view run) {
  name_set stacks;
  memory_->known.remove(run, stacks);
  return memory_->refresh(stacks);
}

const feed::stack_row* stack_cards::card(std::string_view stack) const {
  const auto found = memory_->cards.find(stack);
  return found == memory_->cards.end() ? nullptr : &found->second;
}

std::optional<feed::stack_change> stack_cards::change_of(std::string_view run) const {
  const run_facts* found = memory_->known.find(run);
  if (found == nullptr) return std::nullopt;
  return wall::change_of(memory_->known, *found);
}

std::optional<stack_summary> stack_cards::summary(std::string_view stack,
                                                  ui::time_point now) const {
  const feed::stack_row* shown = card(stack);
  const stack_runs* runs = memory_->known.of(stack);
  if (shown == nullptr || runs == nullptr) return std::nullopt;
  return summary_of(*shown, *runs, now);
}

std::vector<std::string> stack_cards::stacks() const {
  std::vector<std::string> all;
  all.reserve(memory_->cards.size());
  for (const auto& [stack, card] : memory_->cards) all.push_back(stack);
  return all;
}

std::size_t stack_cards::runs() const { return memory_->known.size(); }

}  // namespace tofud::wall
