// The lines of a topic (log, text): append-only, in memory as they go out, trimmed at the front.
#pragma once

#include "daemon/fanout/line_budget.hpp"
#include "daemon/operations/held_memory.hpp"
#include "protocol/feed/source.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::fanout {

/// Holds about the newest `keep_bytes` of encoded lines, in chunks of contiguous text, each line
/// with its '\n': a range of lines is sent by copying it. Forgets whole chunks, oldest first, but
/// never the newest, also when all stores of a budget hold too much: then whoever gets a line.
class line_store {
 public:
  /// Without a budget it minds itself alone.
  line_store(std::size_t keep_bytes, std::size_t chunk_bytes,
             std::shared_ptr<line_budget> of_all = nullptr);

  void append(const feed::line_change& line);
  /// Lines up to that one came, and are not here.
  void begin_after(feed::sequence seq) { dropped_ = seq; }

  /// The last line that was forgotten; 0: none was.
  feed::sequence dropped() const { return dropped_; }
  std::size_t bytes() const { return bytes_; }

  /// A kept line or the end; valid until the next `append`.
  struct position {
    std::size_t chunk = 0, index = 0;
    bool operator==(const position&) const = default;
  };
  position end() const { return {chunks_.size(), 0}; }
  /// The first kept line after `seq`. O(log of the lines kept).
  position after(feed::sequence seq) const;
  position next(position line) const;

  // Of a line that is not the end:
  feed::sequence seq(position line) const { return at(line).seq; }
  feed::row_kind kind(position line) const;
  feed::row_number subject(position line) const { return at(line).subject; }
  std::string_view text(position line) const;

  /// Appends the lines from `from` on that are not after `upto`, as many as `room` bytes hold.
  /// Returns the first one left out.
  position copy(std::string& out, position from, feed::sequence upto, std::size_t room) const;

 private:
  struct entry {
    feed::sequence seq;
    feed::row_number subject;
    std::uint32_t begin : 31, is_text : 1;  // in the chunk's text
  };
  struct chunk {
    std::string text;
    std::vector<entry> lines;
    std::size_t end_of(std::size_t line) const {
      return line + 1 < lines.size() ? lines[line + 1].begin : text.size();
    }
  };
  const entry& at(position line) const { return chunks_[line.chunk].lines[line.index]; }
  void trim();

  std::size_t keep_bytes_, chunk_bytes_, bytes_ = 0;
  line_budget::share of_all_;
  operations::held_memory held_{operations::memory_for::lines};
  feed::sequence dropped_ = 0;
  std::deque<chunk> chunks_;  // none is empty
};

}  // namespace tofud::fanout
