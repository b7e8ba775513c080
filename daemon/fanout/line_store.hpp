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
  /// What another store held: lines up to `dropped` came before, and are not here.
  struct stored {
    feed::sequence dropped = 0;
    std::deque<chunk> chunks;  // none is empty
    std::size_t bytes = 0;     // of their texts

    void append(const feed::line_change& line, std::size_t chunk_bytes);
    /// Forgets the oldest chunks beyond `keep_bytes`, but never the newest. How many bytes went.
    std::size_t trim(std::size_t keep_bytes);
  };

  void append(const feed::line_change& line);
  /// Into an empty one.
  void begin_with(stored lines);

  /// The last line that was forgotten; 0: none was.
  feed::sequence dropped() const { return held_.dropped; }
  std::size_t bytes() const { return held_.bytes; }

  /// A kept line or the end; valid until the next `append`.
  struct position {
    std::size_t chunk = 0, index = 0;
    bool operator==(const position&) const = default;
  };
  position end() const { return {held_.chunks.size(), 0}; }
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
  const entry& at(position line) const { return held_.chunks[line.chunk].lines[line.index]; }
  void trim();

  std::size_t keep_bytes_, chunk_bytes_;
  line_budget::share of_all_;
  operations::held_memory counted_{operations::memory_for::lines};
  stored held_;
};

}  // namespace tofud::fanout
