#include "daemon/terminal/running.hpp"

#include "daemon/history/usual.hpp"
#include "daemon/terminal/limits.hpp"
#include "protocol/text/duration.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tofud::terminal {
namespace {

bool is_replaced(const feed::resource_row& resource) {
  return std::any_of(resource.plan.begin(), resource.plan.end(),
                     [](const feed::planned& each) { return each.action == "replace"; });
}

// Beginning and end, which tell most: it is cut in the middle anyway.
std::string shown_part(std::string_view addr) {
  constexpr std::size_t half = limits::shown_line_bytes / 2;
  if (addr.size() <= 2 * half) return std::string{addr};
  return std::string{addr.substr(0, half)} + "…" + std::string{addr.substr(addr.size() - half)};
}

}  // namespace

usual_words words_of(const usual_of& known, const running_step& step,
                     std::optional<std::chrono::microseconds> elapsed) {
  if (!known) return {};
  const auto found = known(step.addr, step.action);
  if (!found) return {};
  const double seconds = elapsed ? std::chrono::duration<double>{*elapsed}.count() : 0;
  usual_words made;
  made.slower = history::is_slower_than_usual(*found, seconds);
  const std::chrono::microseconds p50{std::llround(found->p50 * 1e6)};
  if (p50 < limits::usual_told && (!made.slower || seconds < 1)) return {};
  made.text = "usually " + text::duration(p50);
  if (made.slower) made.text += " (" + std::to_string(found->count) + " times)";
  if (found->flaky) made.text += ", fails now and then";
  return made;
}

void running_steps::changed(feed::row_number row, const feed::resource_row& resource) {
  std::optional<std::uint64_t> newest;
  for (std::size_t i = 0; i < resource.steps.size(); ++i) {
    const feed::step& step = resource.steps[i];
    const std::uint64_t key = std::uint64_t{row} << 32U | i;
    if (step.status != feed::step_status::running) {
      open_.erase(key);
      continue;
    }
    newest = key;
    const auto [place, added] = open_.try_emplace(key);
    if (added) {
      place->second = {shown_part(resource.addr), step.action, is_replaced(resource),
                       step.started_at, ""};
    }
    place->second.expect = resource.source->said.expect;  // it may come late
  }
  note_waiting(row, resource);
  if (newest) {
    newest_[row] = *newest;
  } else {
    newest_.erase(row);
  }
}

void running_steps::note_waiting(feed::row_number row, const feed::resource_row& resource) {
  const auto* waits = resource.causes == nullptr ? nullptr : resource.causes->waiting_for;
  const bool for_one = waits != nullptr && waits->names.size() == 1 && waits->more == 0;
  if (!for_one && waits_.empty()) return;
  const auto before = waits_.find(row);
  if (before != waits_.end()) {
    if (for_one && before->second == waits->names.front()) return;
    const auto waiter = waiters_.find(before->second);
    if (--waiter->second == 0) waiters_.erase(waiter);
    waits_.erase(before);
  }
  if (!for_one) return;
  waits_.emplace(row, waits->names.front());
  ++waiters_[waits->names.front()];
}

std::optional<waited_for> running_steps::most_waited_for() const {
  if (waiters_.empty() || open_.empty() || open_.size() > limits::waiting_told) return std::nullopt;
  waited_for most;
  for (const auto& [addr, count] : waiters_) {
    if (std::tie(most.count, addr) > std::tie(count, most.addr)) continue;
    most = {addr, count};
  }
  return most;
}

void running_steps::log(feed::row_number row, std::string_view text) {
  const auto newest = newest_.find(row);
  if (newest == newest_.end()) return;
  open_[newest->second].last_line = text.substr(0, limits::shown_line_bytes);
}

std::vector<const running_step*> running_steps::oldest(std::size_t count) const {
  std::vector<const running_step*> all;
  all.reserve(open_.size());
  for (const auto& [key, step] : open_) all.push_back(&step);
  count = std::min(count, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                    [](const running_step* a, const running_step* b) {
                      return std::tie(a->started_at, a->addr, a->action) <
                             std::tie(b->started_at, b->addr, b->action);
                    });
  all.resize(count);
  return all;
}

}  // namespace tofud::terminal
