#include "daemon/history/operations_of_run.hpp"

#include "protocol/text/fnv.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tofud::history {
namespace {

std::string claimed(const correlator::run_state& run, std::string_view key) {
  for (const feed::label& label : run.identity().labels) {
    if (label.key == key) return label.value;
  }
  return {};
}

}  // namespace

remembered_run run_to_remember(const correlator::run_state& run) {
  const feed::run_view view = run.view();
  remembered_run made;
  made.id = view.id;
  made.stack = view.stack;
  made.command = feed::name(view.command);
  made.status = feed::name(view.status);
  made.commit = claimed(run, "commit");
  made.actor = claimed(run, "actor");
  made.started_at = view.started_at;
  return made;
}

bool operations_of_run::add(std::vector<operation>& done, std::size_t count) {
  const auto& all = run_.resources();
  const std::size_t end = at_ + std::min(count, all.size() - at_);
  if (counted_) {
    // Room for two steps of each, as a replacement has: to move them all was a turn of 20 ms.
    if (at_ == 0) done.reserve(done.size() + 2 * std::min(all.size(), most_));
    for (; at_ < end; ++at_) {
      if (keeps(all[at_].row)) add_steps(done, at_);
    }
    return at_ < all.size();
  }
  for (; at_ < end; ++at_) ++of_types_[all[at_].row.type()];
  if (at_ < all.size()) return true;
  settle();
  return true;
}

/// The greatest number of which each type may have so many without all of them being more.
void operations_of_run::settle() {
  std::vector<std::size_t> counts;
  counts.reserve(of_types_.size());
  for (const auto& [type, count] : of_types_) counts.push_back(count);
  std::sort(counts.begin(), counts.end());
  std::size_t left = most_, types = counts.size();
  for (const std::size_t count : counts) {
    most_of_type_ = left / types;
    if (count > most_of_type_) break;
    left -= count;
    --types;
  }
  counted_ = true;
  at_ = 0;
}

bool operations_of_run::keeps(const feed::resource_row& row) const {
  if (of_types_.empty()) return true;
  const std::size_t count = of_types_.at(row.type());
  if (count <= most_of_type_) return true;
  // Its place among all addresses: who is kept of many is kept of fewer.
  constexpr std::size_t places = std::size_t{1} << 20U;
  return text::fnv1a(row.addr) % places * count < most_of_type_ * places;
}

void operations_of_run::add_steps(std::vector<operation>& done, std::size_t resource) const {
  const auto& row = run_.resources()[resource].row;
  const auto provider = run_.provider_of(row);
  for (const feed::step& step : row.steps) {
    const bool ended =
        step.status == feed::step_status::done || step.status == feed::step_status::failed;
    if (!ended || step.inferred || !step.started_at || !step.ended_at) continue;
    operation each;
    each.addr = row.addr;
    each.type = row.type();
    if (provider != nullptr) {
      each.provider = provider->source;
      each.provider_version = provider->version;
    }
    each.action = feed::name(step.action);
    each.phase = feed::name(step.phase);
    each.status = feed::name(step.status);
    each.started_at = *step.started_at;
    each.seconds =
        std::max(std::chrono::duration<double>(*step.ended_at - *step.started_at).count(), 0.0);
    done.push_back(std::move(each));
  }
}

std::vector<operation> all_operations_of(const correlator::run_state& run) {
  std::vector<operation> done;
  for (operations_of_run gathered{run}; gathered.add(done, run.resources().size());) {
  }
  return done;
}

}  // namespace tofud::history
