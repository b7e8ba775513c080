#include "daemon/foresight/run_estimator.hpp"

#include "daemon/foresight/known_times.hpp"
#include "daemon/foresight/limits.hpp"
#include "protocol/text/fnv.hpp"

#include <algorithm>
#include <chrono>

namespace tofud::foresight {
namespace {

using feed::step_action;
using order::progress_of;
using order::vertex;

/// As far as it is known; what owes more than one operation may do so when it has begun.
bool may_begin(const feed::resource_row& row) {
  if (row.status == feed::resource_status::running || row.causes == nullptr) return false;
  const auto* waits = row.causes->waiting_for;
  return row.causes->behind == nullptr &&
         (waits == nullptr || (waits->names.empty() && waits->more == 0));
}

}  // namespace

bool run_estimator::take_order() {
  const order::order* known = of_.causes().order();
  if (known == nullptr) {
    schedule_.reset();
    order_ = nullptr;
    return false;
  }
  if (schedule_ && order_number_ == of_.causes().order_number()) return true;
  order_ = known;
  order_number_ = of_.causes().order_number();
  schedule_.emplace(*known);
  model_.reset();
  return true;
}

bool run_estimator::take_durations(const usual_lookup& usual) {
  if (model_) return true;
  std::vector<order::known_duration> all;
  std::size_t known = 0;
  for (const vertex each : order_->operations()) {
    const order::operation& what = *order_->at(each);
    const step_action action = action_of(what);
    const auto& row = of_.resources()[of_.causes().place_of(each)].row;
    const order::known_duration made =
        known_time(usual(what.address, action), row.source->said.expect, action);
    known += made.count > 0 ? 1 : 0;
    all.push_back(made);
  }
  if (2 * known < all.size()) return false;
  model_.emplace(all);
  return true;
}

std::vector<order::operation_now> run_estimator::operations_at(ui::time_point now) {
  std::vector<order::operation_now> all;
  all.reserve(order_->operations().size());
  std::size_t number = 0;
  open_ = 0;
  ready_ = false;
  next_passing_.reset();
  for (const vertex each : order_->operations()) {
    order::operation_now& made = all.emplace_back();
    made.state = of_.causes().state(each);
    const feed::resource_row& row = of_.resources()[of_.causes().place_of(each)].row;
    ready_ = ready_ || (made.state == progress_of::owed && may_begin(row));
    if (made.state == progress_of::running) {
      ++open_;
      const step_action action = action_of(*order_->at(each));
      for (const feed::step& step : row.steps) {
        if (step.status != feed::step_status::running || !step.started_at) continue;
        if (action == step_action::remove && step.action != action) continue;
        made.elapsed = std::max(0.0, std::chrono::duration<double>{now - *step.started_at}.count());
      }
      for (const double part : {0.5, 0.8}) {
        const double left = model_->quantile(number, part) - made.elapsed;
        if (left > 0 && (!next_passing_ || left < *next_passing_)) next_passing_ = left;
      }
    }
    ++number;
  }
  most_open_ = std::max(most_open_, open_);
  return all;
}

feed::run_estimate::operation run_estimator::told(vertex which, double slack) const {
  const order::operation& what = *order_->at(which);
  return {what.address, action_of(what), slack};
}

void run_estimator::tell_path(feed::run_estimate& into,
                              const std::vector<order::operation_now>& now) {
  const order::critical_path path = schedule_->critical(now, *model_);
  for (const vertex each : path.operations) {
    if (into.path.size() == limits::path_named) break;
    into.path.push_back(told(each, 0));
  }
  into.path_more = path.operations.size() - into.path.size();
  for (std::size_t i = 0; i < now.size(); ++i) {
    const vertex which = order_->operations()[i];
    if (now[i].state == progress_of::running)
      into.running.push_back(told(which, std::max(0.0, path.slack[which])));
  }
  std::stable_sort(into.running.begin(), into.running.end(),
                   [](const auto& one, const auto& other) { return one.slack < other.slack; });
  if (into.running.size() > limits::path_named) into.running.resize(limits::path_named);
}

std::optional<feed::run_estimate> run_estimator::make(const usual_lookup& usual,
                                                      ui::time_point now) {
  version_ = of_.causes().version();
  next_passing_.reset();
  if (of_.over() || !take_order() || !take_durations(usual)) return std::nullopt;
  const auto operations = operations_at(now);
  feed::run_estimate made;
  made.at = now;
  made.slots = of_.identity().parallelism;
  if (made.slots == 0) made.slots = std::max(limits::usual_slots, most_open_);
  made.idle_slots = ready_ ? 0 : made.slots - std::min(made.slots, open_);
  const auto left = schedule_->remaining(operations, *model_, made.slots, text::fnv1a(of_.id()));
  if (!left) return std::nullopt;
  made.p50 = left->p50;
  made.p80 = left->p80;
  made.overrun = left->overrun;
  const double bounded = schedule_->median_end(operations, *model_, made.slots);
  const double unbounded = schedule_->median_end(operations, *model_, operations.size() + 1);
  made.saved_by_slots = std::max(0.0, bounded - unbounded);
  tell_path(made, operations);
  return made;
}

std::size_t run_estimator::memory() const {
  const std::size_t operations = order_ == nullptr ? 0 : order_->size();
  return operations * 200;
}

}  // namespace tofud::foresight
