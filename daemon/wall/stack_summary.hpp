// A stack in numbers, for programs and spreadsheets.
#pragma once

#include "daemon/wall/known_runs.hpp"
#include "protocol/feed/stack_row.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tofud::wall {

struct stack_summary {
  struct apply {
    std::string run, who, commit, branch;  // empty: unknown
    bool who_is_verified = false;
    feed::run_status status = feed::run_status::succeeded;
    feed::run_command command = feed::run_command::apply;
    std::optional<ui::time_point> ended_at;  // by our clock
    std::optional<double> seconds;
    bool operator==(const apply&) const = default;
  };
  /// Of the newest limits::summed_runs of limits::summed_days.
  struct counted {
    std::uint64_t runs = 0, failed = 0;    // that are over; failed: all that did not succeed
    std::optional<double> median_seconds;  // of those that succeeded
    bool operator==(const counted&) const = default;
  };
  feed::stack_row card;
  std::optional<apply> last_apply, last_success;  // that are over; the second: of a whole one
  std::string tofu, terraform;                    // of the newest run that printed one
  run_names names;                                // of the newest run that has some
  counted plans, applies;
};

stack_summary summary_of(const feed::stack_row& card, const stack_runs& runs, ui::time_point now);

}  // namespace tofud::wall
