// A stream's runs as subscribers get them: a topic each.
#pragma once

#include "daemon/fanout/topic.hpp"
#include "daemon/pipeline/engine.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace tofud::pipeline {

class run_topics;

struct run {
  correlator::run_state& state;
  const run_topics& in;
  fanout::topic topic;
  bool changed = false;  // since the listener was told

  /// What the fold says, and what only its surroundings know.
  feed::run_view view() const;
  const engine& stream() const;
};

/// Who knows what is expected of runs: the views `forecast`, which have numbers of their own.
class forecaster {
 public:
  virtual ~forecaster() = default;
  virtual void encode(std::string& out, const correlator::run_state& run,
                      feed::row_number forecast) const = 0;
  virtual feed::row_facts facts(const correlator::run_state& run,
                                feed::row_number forecast) const = 0;

 protected:
  forecaster() = default;
  forecaster(const forecaster&) = default;
  forecaster& operator=(const forecaster&) = default;
};

/// Puts rows, lines and views into the topics, and publishes once for all that came together.
class run_topics final : private correlator::row_sink {
 public:
  struct listeners {
    std::function<void(run&)> began;
    std::function<void(run&)> changed;  // its view differs, too
    std::function<void(ui::time_point)> arrived{};
    /// Adds to a run's view what is no fold: clocks, contact.
    std::function<void(feed::run_view&)> overlay{};
  };

  /// Lines of runs that an engine has already, a store each, in their order; where there is none
  /// for a run, its lines are not here.
  using kept_lines = std::deque<fanout::line_store::stored>;

  /// `of` tells it from now on, and both go together.
  run_topics(engine& of, listeners told, fanout::topic_limits limits = {}, kept_lines lines = {});
  ~run_topics() override;

  std::deque<run>& runs() { return runs_; }
  const engine& stream() const { return stream_; }
  /// When what is fed from now on came into the process; nothing: when it is fed.
  void came_at(std::optional<std::chrono::steady_clock::time_point> when) { came_at_ = when; }
  /// Before any forecast is told of; it goes with this.
  void forecast_by(const forecaster& who) { forecaster_ = &who; }
  /// Forecasts of a run are new, in the order of their numbers, or differ.
  void forecasts_changed(const correlator::run_state& state,
                         std::span<const feed::row_number> forecasts);
  /// What is no fold has changed.
  void surroundings_changed();

 private:
  friend struct run;
  void run_began(correlator::run_state& state) override;
  void line(correlator::run_state& state, const feed::line_change& line) override;
  void changed(correlator::run_state& state, feed::row_change change) override;
  void view_changed(correlator::run_state& state) override;
  void run_ended(correlator::run_state& state) override;
  void arrived(ui::time_point at) override;
  void settled() override;
  void take_over(run& added);
  run& of(const correlator::run_state& state);

  engine& stream_;
  listeners told_;
  fanout::topic_limits limits_;
  kept_lines lines_;  // of runs that have not begun here
  std::deque<run> runs_;
  const forecaster* forecaster_ = nullptr;
  std::optional<std::chrono::steady_clock::time_point> came_at_;
};

}  // namespace tofud::pipeline
