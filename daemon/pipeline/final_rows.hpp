// What a subscriber of everything holds when the last run is over: `tofud replay --rows`.
#pragma once

#include "daemon/fanout/line_store.hpp"
#include "daemon/pipeline/engine.hpp"

#include <functional>
#include <string_view>
#include <unordered_map>

namespace tofud::pipeline {

/// Remembers the lines of each run as a topic does, and asks the fold for the rows.
class final_rows final : private correlator::row_sink {
 public:
  /// `of` tells it from now on, and both go together.
  explicit final_rows(engine& of) : stream_{of} { of.tell(*this); }

  /// Runs in stream order, each run's view first, then rows and lines by sequence number, one a
  /// line; of the run named `only`, if that is not empty. Stops when `out` returns false and
  /// returns that.
  bool write(const std::function<bool(std::string_view)>& out, std::string_view only = {}) const;

 private:
  void line(correlator::run_state& run, const feed::line_change& line) override;

  const engine& stream_;
  std::unordered_map<const correlator::run_state*, fanout::line_store> lines_;
};

}  // namespace tofud::pipeline
