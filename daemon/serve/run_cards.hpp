// What daemons tell each other of their runs: a card each, which lists, walls and stacks are made
// of.
#pragma once

#include "daemon/cluster/bucket.hpp"
#include "daemon/cluster/shared_log.hpp"
#include "daemon/journal/store.hpp"
#include "daemon/serve/kept_streams.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace tofud::serve {

class run_cards {
 public:
  /// All outlive it. `own_name`: this daemon's. `current`: called whenever all that was told is
  /// known.
  run_cards(boost::asio::io_context& io, cluster::jetstream& in, const std::string& cluster,
            std::string own_name, cluster::shared_log& log, journal::store& store,
            std::function<void()> current);
  ~run_cards();

  void serve(kept_streams& runs) { runs_ = &runs; }
  net::task<text::failure> ensure(unsigned replicas) { return bucket_.ensure(replicas); }
  /// Once, when the bucket is there.
  void begin();
  void stop();
  /// What could not be told is told again.
  void look();
  bool is_begun() const { return reads_ != nullptr; }

  /// What is shown of a run that this daemon takes in is new.
  void changed(const ingested_run& run, std::string views);
  /// Makes a run known here that others have, if there is one.
  net::task<text::failure> find(std::string run);
  /// The run goes everywhere; by a person, for good.
  net::task<text::failure> remove(std::string run, journal::removed_by whom);
  void forget(const std::string& run) { known_.erase(run); }
  /// Takes marks of runs out of NATS that were removed long ago.
  /// `now` by JetStream's clock.
  net::task<bool> clear_marks(ui::time_point now);
  /// How often NATS has lost what was told.
  std::uint64_t losses() const { return losses_; }

  bool knows(const std::string& run) const { return known_.contains(run); }
  /// Which daemon takes the run in, as was told last; empty: nobody told.
  std::string taker_of(const std::string& run) const;
  /// When it was told of last, by JetStream's clock; 1970: nobody told.
  ui::time_point told_at(const std::string& run) const;

  /// Told by others, and not read here yet.
  std::uint64_t lag() const { return reads_ ? reads_->pending() : 0; }
  std::uint64_t begun_again() const { return reads_ ? reads_->begun_again() : 0; }
  struct counts {
    std::uint64_t sent = 0, taken = 0, other_writers = 0;
  };
  const counts& counted() const { return counts_; }

 private:
  struct card {
    std::string value;  // not yet told; empty: all is
    std::uint64_t revision = 0;
    std::string by;               // who takes the run in, as was told last
    ui::time_point at;            // when, by JetStream's clock
    std::uint64_t corrected = 0;  // of its log, when an older card was answered with ours
    bool is_being_told = false;
  };
  net::task<bool> follow();
  void begin_anew();
  /// Of the stream of cards, in its order.
  enum class is_next : bool { no, yes };
  net::task<bool> take(cluster::bucket::entry entry, is_next in_order);
  net::task<bool> tell(std::string run);

  boost::asio::io_context& io_;
  cluster::jetstream& in_;
  cluster::bucket bucket_;
  std::string own_name_;
  cluster::shared_log& log_;
  journal::store& store_;
  std::function<void()> current_;
  kept_streams* runs_ = nullptr;
  std::shared_ptr<cluster::reader> reads_;
  std::map<std::string, card, std::less<>> known_;
  std::deque<std::pair<ui::time_point, std::string>> marks_;  // removed when, and which
  std::uint64_t losses_ = 0;
  bool is_taking_ = false, is_stopped_ = false;
  counts counts_;
};

}  // namespace tofud::serve
