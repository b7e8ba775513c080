#include "daemon/wall/stack_summary.hpp"

#include "daemon/wall/limits.hpp"
#include "protocol/text/percentile.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace tofud::wall {
namespace {

std::optional<double> seconds_of(const run_facts& run) {
  if (!run.started_at || !run.ended_at) return std::nullopt;
  return std::max(0.0, std::chrono::duration<double>(*run.ended_at - *run.started_at).count());
}

stack_summary::apply told_of(const run_facts& run) {
  return {run.id,     run.from.who, run.commit, run.from.branch, run.from.who_is_verified,
          run.status, run.command,  ended(run), seconds_of(run)};
}

class counting {
 public:
  void add(const run_facts& run) {
    ++made_.runs;
    if (run.status != feed::run_status::succeeded) {
      ++made_.failed;
    } else if (const auto seconds = seconds_of(run)) {
      seconds_.push_back(*seconds);
    }
  }
  stack_summary::counted done() {
    if (!seconds_.empty()) made_.median_seconds = text::percentile(seconds_, .5);
    return made_;
  }

 private:
  stack_summary::counted made_;
  std::vector<double> seconds_;
};

}  // namespace

stack_summary summary_of(const feed::stack_row& card, const stack_runs& runs, ui::time_point now) {
  stack_summary made;
  made.card = card;
  counting plans, applies;
  std::size_t left = limits::summed_runs;
  const ui::time_point oldest = now - limits::summed_days;
  for (const run_facts* run : runs.all) {
    if (left-- == 0) break;
    if (made.tofu.empty() && made.terraform.empty()) {
      made.tofu = run->versions.tofu;
      made.terraform = run->versions.terraform;
    }
    if (run->rows.names && made.names == run_names{}) made.names = *run->rows.names;
    if (goes_on(*run)) continue;
    const bool counts = began(*run) >= oldest;
    if (is_apply(*run)) {
      if (!made.last_apply) made.last_apply = told_of(*run);
      const bool is_good = run->status == feed::run_status::succeeded && !run->is_partial;
      if (is_good && !made.last_success) made.last_success = told_of(*run);
      if (counts) applies.add(*run);
    } else if (run->command == feed::run_command::plan && counts) {
      plans.add(*run);
    }
  }
  made.plans = plans.done();
  made.applies = applies.done();
  return made;
}

}  // namespace tofud::wall
