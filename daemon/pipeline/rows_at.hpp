// A run as it stood at a moment.
#pragma once

#include "daemon/correlator/row_sink.hpp"
#include "daemon/files/stream_bytes.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/stream_search.hpp"
#include "protocol/ui/moment.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tofud::pipeline {

/// Folds the stream up to there, a piece per call, and then gives the run's document, some rows per
/// call: `{"run":{…},"rows":[…]}`, as /v1/runs/RUN has it. A run that had not begun is null.
class rows_at final : public stream_search {
 public:
  /// `run` is its id, `upto` the bytes of the stream that are looked at, `attached` what the fold
  /// that goes on has.
  rows_at(correlator::run_identity identity, std::string run, const ui::moment& when,
          files::stream_bytes bytes, std::uint64_t upto,
          const std::vector<correlator::attachment_place>& attached);

  bool next(std::string& out) override;

 private:
  bool fold();
  void append_head(std::string& out);

  std::string run_;
  ui::moment when_;
  files::stream_bytes bytes_;
  std::uint64_t upto_, read_ = 0;
  engine stream_;
  std::string pending_;
  bool folded_ = false;
  const correlator::run_state* found_ = nullptr;
  feed::row_number next_ = 0;
};

}  // namespace tofud::pipeline
