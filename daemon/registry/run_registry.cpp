#include "daemon/registry/run_registry.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tofud::registry {

feed::run_view shown_run::view() const {
  return live != nullptr && !of->is_folded_again() ? live->view() : last;
}

const std::vector<feed::label>& run_source::granted() const {
  static const std::vector<feed::label> none;
  return none;
}

run_registry::run_registry(fanout::hub& hub, run_rows& rows) : hub_{hub}, rows_{&rows} {}

shown_run& run_registry::add(run_source& of, feed::run_view last, ui::time_point heard_at) {
  auto made = std::make_unique<shown_run>();
  made->of = &of;
  made->last = std::move(last);
  made->age = {heard_at, ++added_};
  shown_run& added = *made;
  runs_[added.id()] = std::move(made);
  by_age_[added.age] = &added;
  tell_latest();
  return added;
}

void run_registry::offer(shown_run& run, pipeline::run& live) {
  run.live = &live;
  run.diagnostics_seen = 0;
  hub_.offer(run.id(), live.topic);
}

void run_registry::withdraw(shown_run& run, const fanout::refusal& why) {
  if (run.live == nullptr) return;
  run.last = run.live->view();
  hub_.withdraw(run.id(), why);
  run.live = nullptr;
}

void run_registry::changed(shown_run& run, since came) {
  for (run_rows* each : rows_) {
    if (!each->sees(run)) continue;
    each->changed(run);
    each->on().topic().publish(came);
  }
}

void run_registry::changed_quietly(shown_run& run) {
  for (run_rows* each : rows_) each->changed(run);
}

void run_registry::remove(shown_run& run) {
  withdraw(run);
  for (run_rows* each : rows_) each->remove(run);
  by_age_.erase(run.age);
  const std::string id = run.id();
  runs_.erase(id);
  tell_latest();
}

shown_run* run_registry::of_id(std::string_view id) {
  const auto found = runs_.find(std::string{id});
  return found == runs_.end() ? nullptr : found->second.get();
}

const shown_run* run_registry::of_id(std::string_view id) const {
  const auto found = runs_.find(std::string{id});
  return found == runs_.end() ? nullptr : found->second.get();
}

void run_registry::tell_latest() {
  if (!by_age_.empty()) hub_.set_latest(by_age_.rbegin()->second->id());
}

// ---- questions ------------------------------------------------------------------------------

bool run_registry::may_see(const access::principal& by, const shown_run& run) {
  return by.sees(run.last.stack, run.of->granted());
}

const shown_run* run_registry::find(std::string_view id, const access::principal& by) const {
  const auto found = runs_.find(id == "latest" ? latest(by) : std::string{id});
  return found == runs_.end() || !may_see(by, *found->second) ? nullptr : found->second.get();
}

std::string run_registry::id_of(std::string_view name, const access::principal& by) const {
  const shown_run* found = find(name, by);
  return found == nullptr ? "" : found->id();
}

std::optional<run_registry::place> run_registry::walk(place from,
                                                      const std::function<bool(shown_run&)>& each) {
  for (auto at = by_age_.lower_bound(from); at != by_age_.end(); ++at) {
    if (each(*at->second)) continue;
    const auto next = std::next(at);
    return next == by_age_.end() ? std::nullopt : std::optional{next->first};
  }
  return std::nullopt;
}

std::string run_registry::latest(const access::principal& by) const {
  const auto seen = std::find_if(by_age_.rbegin(), by_age_.rend(),
                                 [&](const auto& each) { return may_see(by, *each.second); });
  return seen == by_age_.rend() ? "" : seen->second->id();
}

std::optional<readable_run> run_registry::readable(std::string_view id,
                                                   const access::principal& by) const {
  const shown_run* found = find(id, by);
  if (found == nullptr || found->live == nullptr) return std::nullopt;
  return readable_run{found->live, found->of->bytes(), found->of->keep_folded()};
}

std::vector<feed::run_view> run_registry::views(const access::principal& by) const {
  std::vector<feed::run_view> all;
  for (const auto& [age, run] : by_age_) {
    if (may_see(by, *run)) all.push_back(run->view());
  }
  return all;
}

}  // namespace tofud::registry
