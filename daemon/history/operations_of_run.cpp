#include "daemon/history/operations_of_run.hpp"

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

bool add_operations(std::vector<operation>& done, const correlator::run_state& run,
                    std::size_t from, std::size_t count) {
  const auto& all = run.resources();
  const std::size_t end = from + std::min(count, all.size() - std::min(from, all.size()));
  for (std::size_t i = from; i < end; ++i) {
    const auto& resource = all[i];
    const auto provider = run.provider_of(resource.row);
    for (const feed::step& step : resource.row.steps) {
      const bool ended =
          step.status == feed::step_status::done || step.status == feed::step_status::failed;
      if (!ended || step.inferred || !step.started_at || !step.ended_at) continue;
      operation each;
      each.addr = resource.row.addr;
      each.type = resource.row.type;
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
  return end < all.size();
}

}  // namespace tofud::history
