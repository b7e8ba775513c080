// What a subscriber of everything holds when the last run is over: `tofud replay --rows`.
#pragma once

#include "daemon/attachments/documents.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "daemon/fanout/line_store.hpp"
#include "daemon/pipeline/played_attachments.hpp"
#include "protocol/redact/stream_redactor.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tofud {

/// Remembers the lines of each run as a topic does, and asks the fold for the rows.
class held_rows : private correlator::observer {
 public:
  explicit held_rows(correlator::run_identity identity);
  ~held_rows() override;

  /// What is fed becomes what may leave this machine before it is folded. Before anything is fed.
  void redact_by(const redact::rules& rules) { redactor_.emplace(rules); }
  void feed(std::string_view bytes);
  /// The same with what is attached where it took effect; an empty text attaches what does so at
  /// the end.
  void feed(std::string_view bytes, played_attachments& attached);
  /// From here on: what `known` has now.
  void attach(const attachments::documents& known);
  void exit_status(int status);
  void end();
  const correlator::stream_fold& fold() const { return *fold_; }

  /// Runs in stream order, each run's view first, then rows and lines by sequence number, one a
  /// line; of the run named `only`, if that is not empty. Stops when `out` returns false and
  /// returns that.
  bool write(const std::function<bool(std::string_view)>& out, std::string_view only = {}) const;

 private:
  void line(correlator::run_state& run, const feed::line_change& line) override;

  std::unordered_map<const correlator::run_state*, fanout::line_store> lines_;
  std::optional<redact::stream_redactor> redactor_;  // nothing: the bytes are folded as they are
  std::string redacted_;
  std::uint64_t offset_ = 0;  // bytes fed
  std::unique_ptr<correlator::stream_fold> fold_;
};

}  // namespace tofud
