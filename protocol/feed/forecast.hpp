// The view `forecast` as a value: what is expected of an address, or of the whole run.
#pragma once

#include "protocol/feed/row.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::feed {

/// How close to an address those operations are that say what is usual of it.
enum class rung : std::uint8_t {
  address = 1,  // the same stack and address
  stack = 2,    // the same stack and type
  anywhere = 3  // the same type in any stack
};
std::string_view name(rung at);

/// How long one action on one address usually takes.
struct usual {
  double p50 = 0, p80 = 0;  // seconds, by nearest rank
  std::size_t count = 0;    // of operations that say so
  rung at = rung::address;
  /// Both a failure and a success are among the newest of this very address.
  bool flaky = false;
  /// Of the natural logarithms of those seconds: their mean, and the sum of their squared distances
  /// from it; not on the wire. Both 0 and a `p50` that is not: they follow from p50 and p80.
  double log_mean = 0, log_squares = 0;
  bool operator==(const usual&) const = default;
};

/// The same, with what it is of.
struct address_usual {
  std::string addr, type;
  std::string action;  // the feed's word
  usual how;
  bool operator==(const address_usual&) const = default;
};

/// When a run is expected to be over, and what holds it back (decision 0042).
struct run_estimate : expected_end {
  struct operation {
    std::string addr;
    step_action action = step_action::create;
    double slack = 0;  // seconds that it may take longer before the end moves
    bool operator==(const operation&) const = default;
  };
  std::vector<operation> path;  // unfinished ones, each before the next; the longest way to the end
  std::uint64_t path_more = 0;  // so many more are on it
  std::vector<operation> running;  // of what runs, that with the least slack first
  std::size_t slots = 0;           // operations that may run at once, as far as it is known
  std::size_t idle_slots = 0;      // of them, while nothing is ready to begin
  /// Seconds that the end would be sooner if as many as can ran at once.
  double saved_by_slots = 0;
  bool operator==(const run_estimate&) const = default;
};

struct address_forecast {
  std::string_view addr, run;
  std::vector<std::pair<step_action, usual>> usual_of;  // of what it owes
};

/// As one JSON object, without a newline.
void encode(std::string& out, const address_forecast& of);
/// Of the run with that id; null: nobody knows any more.
void encode(std::string& out, std::string_view run, const run_estimate* of);
/// The members of an object, the first without a comma.
void append_members(std::string& out, const expected_end& of);

/// "2m–3m", "40s": as exact as anybody knows.
std::string range_text(double least, double most);
/// "ETA 2m–3m" of what is left; "longer than usual".
std::string eta_text(const expected_end& of, ui::time_point now);

}  // namespace tofud::feed
