// A run as it stood at a moment.
#pragma once

#include "daemon/correlator/row_sink.hpp"
#include "daemon/files/stream_bytes.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/stream_search.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/feed/request.hpp"
#include "protocol/ui/moment.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tofud::pipeline {

/// When a run was expected to be over, at that moment by its stream's clock. Asked again until it
/// has an answer: nothing: not yet; then an estimate, or nothing, since nobody knows.
using past_estimate = std::function<std::optional<std::optional<feed::run_estimate>>(
    const correlator::run_state& run, ui::time_point at)>;

/// How it is told: as `{"run":{…},"rows":[…]}`, a run that had not begun as null; or as lines of
/// the feed.
struct past_document {};
struct past_lines {
  std::string greeting;  // first of all
  feed::filter wanted;
};
using past_form = std::variant<past_document, past_lines>;

/// Folds the stream up to there, a piece per call, and then tells the run, some rows per call.
class rows_at final : public stream_search {
 public:
  struct stream {
    correlator::run_identity identity;
    files::stream_bytes bytes;
    std::uint64_t upto;                                    // bytes that are looked at
    std::vector<correlator::attachment_place> attached{};  // what the fold that goes on has
  };

  /// `run` is its id. `expected` may be empty: nobody knows.
  rows_at(stream of, std::string run, const ui::moment& when, past_form as, past_estimate expected);

  bool next(std::string& out) override;
  bool waits() const override { return waits_; }

 private:
  enum class stage : std::uint8_t { folding, asking, telling };

  bool fold();
  bool ask();
  void append_head(std::string& out);
  void append_row(std::string& out, feed::row_number row);
  void append_end(std::string& out);
  feed::run_view view() const;

  std::string run_;
  ui::moment when_;
  stream stream_;
  past_form as_;
  past_estimate expected_;
  engine rows_;
  stage stage_ = stage::folding;
  bool waits_ = false;  // for what was expected
  std::uint64_t read_ = 0;
  std::string pending_;
  const correlator::run_state* found_ = nullptr;
  std::optional<feed::run_estimate> estimate_;
  std::vector<feed::row_number> order_;  // of the rows
  std::size_t next_ = 0, looked_at_ = 0;
};

}  // namespace tofud::pipeline
