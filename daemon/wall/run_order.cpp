#include "daemon/wall/run_order.hpp"

#include "protocol/feed/age.hpp"

namespace tofud::wall {

using feed::run_command;
using feed::run_status;

ui::time_point began(const run_facts& run) {
  // Whether the run goes on is left out of it, so that its end does not move it.
  if (!run.started_at) return run.heard_at;
  return feed::by_our_clock(*run.started_at, run.clock_offset, feed::run_goes_on::no);
}

std::optional<ui::time_point> ended(const run_facts& run) {
  if (goes_on(run)) return std::nullopt;
  const auto& last = run.ended_at ? run.ended_at : run.last_line_at;
  if (!last) return run.heard_at;
  return feed::by_our_clock(*last, run.clock_offset, feed::run_goes_on::no);
}

bool goes_on(const run_facts& run) { return run.status == run_status::running; }

bool is_apply(const run_facts& run) {
  return run.apply_ran || run.takes_plan || run.command == run_command::apply ||
         run.command == run_command::destroy;
}

bool is_plan(const run_facts& run) {
  return run.command == run_command::plan && run.status == run_status::succeeded && !is_apply(run);
}

bool newest_first::operator()(const run_facts* a, const run_facts* b) const {
  const ui::time_point first = began(*a), second = began(*b);
  return first != second ? first > second : a->id > b->id;
}

bool ended_last_first::operator()(const run_facts* a, const run_facts* b) const {
  constexpr auto not_yet = ui::time_point::max();
  const ui::time_point first = ended(*a).value_or(not_yet), second = ended(*b).value_or(not_yet);
  return first != second ? first > second : newest_first{}(a, b);
}

}  // namespace tofud::wall
