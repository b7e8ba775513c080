// How long what a run owes usually takes: asked of a history while the run goes on.
#pragma once

#include "daemon/correlator/row_sink.hpp"
#include "daemon/correlator/run_state.hpp"
#include "daemon/foresight/run_estimator.hpp"
#include "daemon/history/usual.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/history/score.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tofud::foresight {

/// Asks a history; calls back on the loop, now or later, with an answer for each query.
using usual_asker =
    std::function<void(std::vector<history::usual_query>,
                       std::function<void(std::vector<std::optional<feed::usual>>)>)>;

/// Each address that owes something is asked about once, when it is planned. Remembers the answers;
/// an address that nobody knows has no forecast. From that and the order of what is applied it says
/// when the run is over. Told by an engine, driven by the loop.
class usual_times final : private correlator::row_sink, public pipeline::forecaster {
 public:
  /// `of` tells it from now on and goes with it.
  usual_times(boost::asio::io_context& io, pipeline::engine& of, usual_asker ask);
  ~usual_times() override;

  /// Whose topics get the views; it outlives this.
  void tell(pipeline::run_topics& topics);

  /// Null: nobody knows, or not yet. Valid until the next turn of the loop.
  const feed::usual* of(std::string_view addr, feed::step_action action) const;

  /// When the newest run is expected to be over; null: nobody knows. Valid until the next turn of
  /// the loop.
  const feed::run_estimate* estimate() const;
  /// The same of that run alone.
  const feed::run_estimate* estimate_of(std::string_view run) const;

  /// How good what was said of that run was, once it is over; empty: nothing was said.
  std::vector<history::said_estimate> judged(const correlator::run_state& run) const;

  /// What runs of other stacks told is not known any more: somebody may see this run and not those.
  void forget_others();

  /// About how many bytes of memory all that is known takes.
  std::size_t memory() const;

  void encode(std::string& out, const correlator::run_state& run,
              feed::row_number forecast) const override;
  feed::row_facts facts(const correlator::run_state& run, feed::row_number forecast) const override;

 private:
  struct known_times;

  void changed(correlator::run_state& run, feed::row_change change) override;
  void summary_came(correlator::run_state& run) override;
  void run_ended(correlator::run_state& run) override;
  void settled() override;

  std::shared_ptr<known_times> known_;
};

}  // namespace tofud::foresight
