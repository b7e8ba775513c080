// What a stack's card has to know of one of its runs.
#pragma once

#include "daemon/wall/lock_info.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/feed/stack_row.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace tofud::wall {

/// An error that says who holds the state's lock, and when it was printed (`@timestamp`).
struct lock_error {
  lock_info lock;
  std::optional<ui::time_point> at;
  bool operator==(const lock_error&) const = default;
};

/// What labels and identity providers say of where a run comes from. Empty: unknown.
struct sender_facts {
  std::string branch, who;
  bool who_is_verified = false;  // an identity provider says so, not only a label
  bool is_of_pull_request = false;
  bool checks_drift = false;  // it was there to look for changes outside (label purpose=drift)
  bool operator==(const sender_facts&) const = default;
};

/// Whom rows name: providers as they were chosen, source and version, and owners by annotations; at
/// most limits::names_of_a_run each.
struct run_names {
  std::set<std::pair<std::string, std::string>> providers;
  std::set<std::string> owners;
  bool operator==(const run_names&) const = default;
};

/// What the rows of a run say together, once it is over.
struct row_facts {
  std::uint64_t drifted = 0;  // objects that were changed outside of OpenTofu
  std::shared_ptr<const run_names> names =
      nullptr;  // each wall has a copy of the facts; null: none
  bool operator==(const row_facts&) const = default;
};

/// Times of the stream are by the clock of the machine the run is on; `heard_at` is by ours.
struct run_facts {
  std::string id;
  std::string stack;  // empty: unknown, so that it is on no card
  feed::run_command command = feed::run_command::other;
  bool command_told =
      false;  // not inferred from the stream, which may call an apply a plan at first
  feed::run_status status = feed::run_status::running;
  feed::run_phase phase = feed::run_phase::plan;
  ui::time_point heard_at{};  // when we first heard of the run
  std::optional<ui::time_point> started_at, ended_at, last_line_at;
  std::optional<std::chrono::microseconds>
      clock_offset;                          // see clock_offset.hpp; null: not uploaded
  std::optional<feed::run_contact> contact;  // null: nobody sends it

  std::string commit;           // empty: unknown
  bool commit_from_ci = false;  // so that nothing uncommitted was in it
  sender_facts from;
  row_facts rows;
  struct program_versions {
    std::string tofu, terraform;  // empty: not printed
    bool operator==(const program_versions&) const = default;
  } versions;
  bool is_partial = false;  // -target or -exclude left something out
  std::string plan_made;    // hash of the plan file it wrote (role "out"); empty: none
  std::string plan_taken;   // hash of the plan file it was given (role "argument")
  bool takes_plan = false;  // it was given a plan file, whether or not that could be hashed
  /// Whether the plan, if one was finished, would change anything, outputs included.
  std::optional<bool> has_changes;
  bool plan_was_stale = false;  // it printed "Saved plan is stale"
  bool apply_ran = false;       // an apply phase runs or ran (correlator::run_state::apply_ran)
  std::optional<lock_error> locked_out;
  bool operator==(const run_facts&) const = default;
};

/// Takes what a run's view says: command, status, phase, times, contact, whether its plan has
/// changes. Nothing about `apply_ran`, which a view does not say while the run goes on, is touched.
void take(run_facts& facts, const feed::run_view& run);

/// Takes what a diagnostic says: a lock that somebody has, a plan file that came too late, a plan
/// of some resources only. True if it said anything of the kind.
bool take(run_facts& facts, const feed::diagnostic_row& diagnostic);

/// Takes a label: commit, ci, branch, pr, actor and purpose mean something here.
void take(run_facts& facts, const feed::label& label);

/// Takes that an output would change, which the counts of a plan leave out.
void take(run_facts& facts, const feed::output_row& output);

}  // namespace tofud::wall
