// When one run is expected to be over.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/order/durations.hpp"
#include "protocol/order/schedule.hpp"
#include "protocol/ui/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace tofud::foresight {

/// Null: nobody knows. Valid until the next call.
using usual_lookup =
    std::function<const feed::usual*(std::string_view addr, feed::step_action action)>;

/// Follows the causes of a run, which outlives it. Works when it is asked, some twenty milliseconds
/// for 20,000 operations.
class run_estimator {
 public:
  explicit run_estimator(const correlator::run_state& of) : of_{of} {}

  /// Whether something happened since the last estimate that may move it.
  bool is_stale() const { return version_ != of_.causes().version(); }
  /// What is usual of some address was learnt.
  void learnt() { model_.reset(); }

  /// At the moment `now` by the stream's clock. Nothing: the order is not known, or of fewer than
  /// half of what is owed anything is known, or nothing is left, or the run is over.
  std::optional<feed::run_estimate> make(const usual_lookup& usual, ui::time_point now);

  /// Seconds after the last estimate at which something that runs passes what is usual of it.
  std::optional<double> next_passing() const { return next_passing_; }

  std::size_t memory() const;

 private:
  bool take_order();
  bool take_durations(const usual_lookup& usual);
  std::vector<order::operation_now> operations_at(ui::time_point now);
  void tell_path(feed::run_estimate& into, const std::vector<order::operation_now>& now);
  feed::run_estimate::operation told(order::vertex which, double slack) const;

  const correlator::run_state& of_;
  std::uint64_t version_ = 0, order_number_ = 0;
  const order::order* order_ = nullptr;
  std::optional<order::schedule> schedule_;
  std::optional<order::duration_model> model_;
  std::size_t open_ = 0, most_open_ = 0;  // operations at once: now, and ever
  bool ready_ = false;                    // something waits for a slot alone
  std::optional<double> next_passing_;
};

}  // namespace tofud::foresight
