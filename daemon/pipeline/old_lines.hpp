// Log and text lines that are no longer in memory, or were cut: found again in the stream itself.
#pragma once

#include "daemon/correlator/stream_fold.hpp"
#include "protocol/feed/request.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tofud {

/// Reads bytes of the stream from an offset; 0: there are no more.
using stream_bytes = std::function<std::size_t(std::uint64_t offset, std::span<char> room)>;

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
class old_lines final : private correlator::observer {
 public:
  /// `attached`: to the fold whose numbers are looked for.
  old_lines(correlator::run_identity identity, line_query query, stream_bytes bytes,
            std::vector<correlator::attachment_place> attached = {});
  ~old_lines() override;

  /// Appends the lines of the next piece, each with its newline; false when there is no more.
  bool next(std::string& out);

  /// The same for one row in full, which is appended with the last piece. The identity is to say
  /// that texts are not cut.
  void look_for(feed::row_kind kind, std::string key) { row_.emplace(kind, std::move(key)); }

 private:
  void line(correlator::run_state& run, const feed::line_change& line) override;

  line_query query_;
  stream_bytes bytes_;
  std::vector<correlator::attachment_place> attached_;
  std::size_t taken_ = 0;  // of them
  void append_row(std::string& out) const;

  std::optional<std::pair<feed::row_kind, std::string>> row_;  // nothing: lines are looked for
  std::unique_ptr<correlator::stream_fold> fold_;
  std::string* out_ = nullptr;
  std::string piece_;
};

}  // namespace tofud
