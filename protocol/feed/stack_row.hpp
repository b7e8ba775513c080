// A stack on the wall: what its runs mean together. README.md beside this file has an example.
#pragma once

#include "protocol/feed/row.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tofud::feed {

/// How a plan and its apply stand, the two being one change.
enum class change_state : std::uint8_t { planned, waiting, applying, applied, failed, outdated };

/// By what a plan and its apply were found to belong together.
enum class change_link : std::uint8_t { none, hash, commit };

/// Who has the lock that kept a run from starting: a run that goes on, one that ended without
/// giving it back, one that has given it back since, or nobody known here.
enum class lock_state : std::uint8_t { held, abandoned, released, somebody_else };

std::string_view name(change_state state);
std::string_view name(change_link link);  // `none` is written null, and has no word
std::string_view name(lock_state state);

/// What the newest runs of a stack that are over come to.
struct stack_outcome {
  std::string run;
  run_status status = run_status::succeeded;
  run_command command = run_command::other;
  std::optional<ui::time_point> ended_at;
  std::string superseded;             // the newest failure that a later success made up for
  std::uint32_t superseded_runs = 0;  // how many such failures are remembered
  bool operator==(const stack_outcome&) const = default;
};

struct stack_change {
  change_state state = change_state::planned;
  std::string plan_run, apply_run;  // empty: none
  change_link linked = change_link::none;
  bool operator==(const stack_change&) const = default;
};

/// The lock that a run of the stack ran into, as OpenTofu described it.
struct stack_lock {
  std::string run;  // whom it stopped
  std::string id, path, operation, who, version;
  std::optional<ui::time_point> created_at;  // by the clock of its holder
  lock_state state = lock_state::somebody_else;
  std::string holder;  // run; empty: somebody else
  bool operator==(const stack_lock&) const = default;
};

/// What somebody changed outside of OpenTofu and nothing has put right since.
struct stack_drift {
  ui::time_point since;  // when it was found first, by the daemon's clock
  std::string run;       // the newest that found it
  std::uint64_t resources =
      0;  // that this run named; 0: its plan has changes that nobody made there
  bool operator==(const stack_drift&) const = default;
};

struct stack_row {
  std::string stack, name;  // the whole one, and what is shown
  std::string run;          // the newest
  run_status status = run_status::running;
  run_command command = run_command::other;
  run_phase phase = run_phase::plan;
  std::optional<stack_outcome> outcome;  // nothing: no run is over yet
  std::optional<stack_change> change;
  std::optional<run_contact> contact;  // nothing: nobody sends it
  std::optional<stack_lock> lock;
  std::optional<stack_drift> drift;
  std::optional<ui::time_point> last_line_at, started_at, ended_at;  // of the newest run
  std::optional<std::chrono::microseconds> clock_offset;             // to be added to its times
  bool operator==(const stack_row&) const = default;
};

/// A row of the wall; `seq` is the wall's.
void encode(std::string& out, const stack_row& row, sequence seq);

}  // namespace tofud::feed
