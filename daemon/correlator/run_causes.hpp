// Why a resource of a run that is applied has not begun: what it waits for, what it is behind, what
// a failure strands (decision 0042).
#pragma once

#include "daemon/correlator/run_identity.hpp"
#include "daemon/correlator/run_rows.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/order/build.hpp"
#include "protocol/order/course.hpp"
#include "protocol/order/order.hpp"
#include "protocol/order/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tofud::correlator {

/// From the first operation of an apply on, if a plan or a configuration tells the order. Passive:
/// says which rows differ, and who asks gives them their numbers.
class run_causes {
 public:
  /// Rows of resources that differ, by their places among the resources; each once.
  using places = std::vector<std::uint32_t>;

  /// Whether there is something to be told of what begins and ends.
  bool is_on() const { return begun_ && known_ != nullptr; }
  bool was_begun() const { return begun_; }
  /// What is planned is known, and nothing has begun: rows say nothing yet, and who foretells the
  /// end has the order.
  void prepare(run_rows& rows, const run_attachments& attached, order::waiting_by waits);
  /// An operation of an apply is about to begin.
  void begin(run_rows& rows, const run_attachments& attached, order::waiting_by waits);
  /// The same with what is attached now, and with what has happened.
  void begin_again(run_rows& rows, const run_attachments& attached, order::waiting_by waits);

  /// Of a step that was just opened, or closed; the row's own causes are right afterwards, those of
  /// others are among `take_changed`.
  void opened(resource_state& resource, feed::step_action action);
  void closed(resource_state& resource, feed::step_action action, feed::step_status status);
  /// Nothing waits any more: the run is interrupted or over, or lines of it are lost.
  void stop_waiting();

  /// Null: nobody knows it, or it does not tell any more what will be done: the run is interrupted
  /// or over, lines are lost. Valid until something more is attached.
  const order::order* order() const { return known_ && waits_ ? &known_->order : nullptr; }
  /// Another number for each order that was made.
  std::uint64_t order_number() const { return order_number_; }
  order::progress_of state(order::vertex operation) const { return states_[operation]; }
  /// Of its resource, among the resources.
  std::uint32_t place_of(order::vertex operation) const { return owed_[rows_of_[operation]].place; }
  /// Grows with the order, and with each operation that begins or ends.
  std::uint64_t version() const { return version_; }

  /// The place of the failed resource that keeps most from beginning, and how many; nothing: none.
  struct stranding {
    std::uint32_t place;
    std::uint64_t count;
  };
  std::optional<stranding> worst() const;

  places take_changed();
  /// Of operations that began before what is before them; what nobody was told of yet: a sentence.
  std::size_t contradictions() const { return known_ ? known_->course.contradictions() : 0; }
  std::optional<std::string> take_contradiction();

  std::size_t memory() const;
  void save(state_writer& to) const;
  void load(state_reader& from, run_rows& rows, const run_attachments& attached,
            order::waiting_by waits);

 private:
  /// What one resource owed when the apply began.
  struct owed_row {
    std::uint32_t place = 0;  // of its resource
    bool makes = false, removes = false;
    std::uint8_t making = 0;  // of `making_words`
    std::optional<bool> create_before_destroy;
    std::vector<std::string> deposed;
    bool operator==(const owed_row&) const = default;
  };
  struct known_order {
    explicit known_order(order::order made) : order{std::move(made)}, course{order} {}
    order::order order;
    order::course course;
  };
  static std::vector<owed_row> owed_in(const run_rows& rows, const run_attachments& attached);
  bool make_order(const run_rows& rows, const run_attachments& attached, order::waiting_by waits);
  void make_anew(std::vector<owed_row> owed, run_rows& rows, const run_attachments& attached,
                 order::waiting_by waits);
  void place_rows(run_rows& rows);
  void take_steps(const run_rows& rows);
  order::vertex find(std::uint32_t row, order::effect what, order::progress_of now) const;
  void tell_all();
  void tell_changed();
  void note_worst(std::uint32_t row);
  void fail(std::uint32_t row, order::vertex operation);
  bool settle(std::uint32_t row);
  void begin_in_order(order::vertex operation);
  void mark(std::uint32_t row);

  bool begun_ = false, waits_ = true;
  std::vector<owed_row> owed_;
  std::unique_ptr<known_order> known_;
  std::vector<order::progress_of> states_;              // by vertex
  std::vector<bool> silent_;                            // by vertex: nobody knows what it waits for
  std::vector<std::vector<order::vertex>> operations_;  // by row, in the order in which they come
  std::vector<std::uint32_t> rows_of_;                  // by vertex
  std::vector<feed::causes> causes_;                    // by row
  std::vector<bool> is_marked_;                         // by row
  std::vector<std::uint32_t> marked_;
  std::vector<order::vertex> failures_;
  std::optional<std::uint32_t> worst_;  // row
  std::optional<std::string> contradiction_;
  std::uint64_t version_ = 0, order_number_ = 0;
};

}  // namespace tofud::correlator
