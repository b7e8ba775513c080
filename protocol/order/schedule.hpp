// When an apply will be over: its order, and how long its operations take, played forward many
// times (F6 to F8 of decision 0042).
#pragma once

#include "protocol/order/durations.hpp"
#include "protocol/order/order.hpp"
#include "protocol/order/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tofud::order {

/// Where one operation is at a moment.
struct operation_now {
  progress_of state = progress_of::owed;
  double elapsed = 0;  // seconds, of one that runs
  double ready_for =
      -1;  // seconds, of one that is owed and could begin; less than 0: it is not known
};

/// Seconds from the moment on until the last operation ends.
struct remaining_time {
  double p50 = 0, p80 = 0;  // by nearest rank
  std::size_t schedules = 0;
  /// All that run have taken longer than they usually do: nobody knows.
  bool overrun = false;
};

/// What holds the end back.
struct critical_path {
  std::vector<vertex> operations;  // unfinished ones, each before the next
  double seconds = 0;              // sum of the medians of what is left of them
  /// By vertex, of unfinished operations: by how many seconds it may grow before that sum does.
  std::vector<double> slack;
};

/// Operations are numbered in the order of `of.operations()`, in `now` and in the model.
class schedule {
 public:
  /// `of` lives longer.
  explicit schedule(const order& of);

  /// At most `slots` run at once. Nothing: nothing is left to be done. What is behind a failure is
  /// not done. `failing`: how many of all operations fail as a rule, 0 to 1.
  /// The same seed draws the same for an operation, whatever happened since: what is told
  /// moves only by what was learnt.
  std::optional<remaining_time> remaining(std::span<const operation_now> now,
                                          const duration_model& model, std::size_t slots,
                                          std::uint64_t seed, double failing = 0);
  /// Seconds until the end if each takes its median.
  double median_end(std::span<const operation_now> now, const duration_model& model,
                    std::size_t slots);
  /// The same from the beginning, if each takes the seconds that are given.
  double end_of(std::span<const double> seconds, std::size_t slots);
  critical_path critical(std::span<const operation_now> now, const duration_model& model);

 private:
  struct event {
    double at;
    std::uint32_t operation;
    bool operator<(const event& other) const { return at > other.at; }
  };
  struct start {
    std::vector<std::uint32_t> left;            // by vertex: unfinished ones before it
    std::vector<std::uint32_t> running, ready;  // operations
    std::size_t count = 0;                      // operations that will be done
  };
  start begin(std::span<const operation_now> now);
  template <class Length, class Fails>
  double play(const start& from, std::span<const operation_now> now, std::size_t slots,
              const Length& length, const Fails& fails);
  void close(vertex which, std::vector<std::uint32_t>& ready);

  const order& of_;
  std::vector<std::uint32_t> after_begin_, after_;  // edges of each vertex, one behind the other
  std::vector<std::uint32_t> operations_;           // of vertices; `no_vertex`: a hub
  std::vector<vertex> sorted_;                      // each behind all before it
  // Of the play under way.
  std::vector<std::uint32_t> left_;
  std::vector<std::uint32_t> ready_;
  std::vector<event> running_;
  std::vector<vertex> closing_;
};

}  // namespace tofud::order
