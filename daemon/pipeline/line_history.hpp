// Log and text lines that are no longer in memory, or were cut: found again in the stream itself.
#pragma once

#include "daemon/files/stream_bytes.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/stream_search.hpp"
#include "protocol/feed/request.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tofud::pipeline {

/// What is looked for: lines of one run, in full, after `from`.
struct line_query {
  std::string run;
  feed::filter wanted;
  feed::sequence from = 0;
  std::string key;            // empty: every line
  std::uint64_t upto_offset;  // bytes of the stream that are looked at
};

/// Folds the stream once more, a piece per call, since lines get their numbers from the fold alone.
/// Costs one pass over the stream; for people who scroll back, not for subscribers.
class line_history final : public stream_search, private correlator::row_sink {
 public:
  /// `attached`: to the fold whose numbers are looked for.
  line_history(correlator::run_identity identity, line_query query, files::stream_bytes bytes,
               const std::vector<correlator::attachment_place>& attached = {});
  ~line_history() override;

  /// Appends the lines of the next piece, each with its newline; false when there is no more.
  bool next(std::string& out) override;

  /// The same for one row in full, which is appended with the last piece. The identity is to say
  /// that texts are not cut.
  void look_for(feed::row_kind kind, std::string key) { row_.emplace(kind, std::move(key)); }

 private:
  void line(correlator::run_state& run, const feed::line_change& line) override;
  void append_row(std::string& out) const;

  line_query query_;
  files::stream_bytes bytes_;
  std::optional<std::pair<feed::row_kind, std::string>> row_;  // nothing: lines are looked for
  engine stream_;
  std::string* out_ = nullptr;
  std::string piece_;
};

}  // namespace tofud::pipeline
