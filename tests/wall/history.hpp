// Runs of a stack as a few words each.
#pragma once

#include "daemon/wall/stack_cards.hpp"

#include <string>
#include <utility>

namespace tofud::wall {

inline ui::time_point minute(std::int64_t n) {
  return ui::time_point{std::chrono::hours{24 * 365 * 50} + std::chrono::minutes{n}};
}

/// A run of the stack "net" that is over, told: one that began in that minute and took half of one.
class made_run {
 public:
  made_run(std::string id, feed::run_command command, std::int64_t began) {
    facts_.id = std::move(id);
    facts_.stack = "net";
    facts_.command = command;
    facts_.command_told = true;
    facts_.status = feed::run_status::succeeded;
    facts_.heard_at = minute(began);
    facts_.started_at = minute(began);
    facts_.ended_at = facts_.last_line_at = minute(began) + std::chrono::seconds{30};
  }
  made_run&& in(std::string stack) && {
    facts_.stack = std::move(stack);
    return std::move(*this);
  }
  made_run&& ended(feed::run_status status) && {
    facts_.status = status;
    return std::move(*this);
  }
  made_run&& goes_on() && {
    facts_.status = feed::run_status::running;
    facts_.ended_at.reset();
    return std::move(*this);
  }
  made_run&& until(std::int64_t n) && {
    facts_.ended_at = facts_.last_line_at = minute(n);
    return std::move(*this);
  }
  made_run&& wrote(std::string hash) && {  // -out=F, with changes
    facts_.plan_made = std::move(hash);
    facts_.has_changes = true;
    return std::move(*this);
  }
  made_run&& without_changes() && {
    facts_.has_changes = false;
    return std::move(*this);
  }
  made_run&& given(std::string hash) && {
    facts_.plan_taken = std::move(hash);
    facts_.takes_plan = true;
    return std::move(*this);
  }
  made_run&& in_phase_apply() && {
    facts_.apply_ran = true;
    facts_.phase = feed::run_phase::apply;
    return std::move(*this);
  }
  made_run&& found_it_stale() && {
    facts_.plan_was_stale = true;
    facts_.status = feed::run_status::failed;
    return std::move(*this);
  }
  made_run&& at_commit(std::string commit, bool from_ci = true) && {
    facts_.commit = std::move(commit);
    facts_.commit_from_ci = from_ci;
    return std::move(*this);
  }
  made_run&& locked_out_by(lock_info lock) && {
    facts_.status = feed::run_status::failed;
    facts_.locked_out = lock_error{std::move(lock), facts_.ended_at};
    return std::move(*this);
  }
  run_facts& facts() { return facts_; }
  operator const run_facts&() const { return facts_; }  // NOLINT: it is one

 private:
  run_facts facts_;
};

inline made_run plan(std::string id, std::int64_t began) {
  return {std::move(id), feed::run_command::plan, began};
}
/// One whose apply phase ran.
inline made_run apply(std::string id, std::int64_t began) {
  return made_run{std::move(id), feed::run_command::apply, began}.in_phase_apply();
}

}  // namespace tofud::wall
