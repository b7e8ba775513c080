// A piece of the redacted stream, made from the raw one as it is needed.
#pragma once

#include "daemon/files/stream_bytes.hpp"
#include "daemon/forward/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::forward {

/// Redacts from the beginning of a line on: appends what the lines that end in the bytes become,
/// and at the end what the last line without a newline becomes. A line becomes one line, whatever
/// stood before it and wherever its bytes are cut: its place in the source may matter, nothing
/// else.
struct begun_redaction {
  std::function<void(std::string_view bytes, std::string& out)> feed;
  std::function<void(std::string& out)> finish;
};

/// Begins one at byte `raw` of the source, where a line begins.
using redaction_maker = std::function<begun_redaction(std::uint64_t raw)>;

/// Holds some mebibytes. Where it goes back to what it has let go, it redacts again, from the
/// nearest line whose place in both streams it remembers.
class redacted_window {
 public:
  redacted_window(files::stream_bytes source, redaction_maker begin_redaction,
                  std::size_t most_bytes = limits::upload_window_bytes);

  /// What stands before `offset` is needed no more, what follows is.
  void need(std::uint64_t offset);

  enum class progress { more, nothing_new, full };
  /// Redacts one piece. `source_over`: what the source gives now is all there will be.
  progress advance(bool source_over);

  /// Offsets in the redacted stream. Bytes from the needed offset on are at hand up to `to`.
  std::uint64_t from() const { return begin_; }
  std::uint64_t to() const { return begin_ + text().size(); }
  /// How much of the source has been read for that.
  std::uint64_t raw() const { return raw_; }
  /// The stream ends at `to`.
  bool all() const { return all_; }
  /// Where in the redacted stream the line begins that byte `raw` of the source stands in: what is
  /// true from there on is true from that byte on, since rows are made of whole lines. Nothing: the
  /// source has not been read so far. Redacts a place's distance once more.
  std::optional<std::uint64_t> line_at(std::uint64_t raw) const;
  /// Within [from, to).
  std::string_view bytes(std::uint64_t offset, std::size_t count) const;

 private:
  struct place {
    std::uint64_t raw = 0, redacted = 0;  // where a line begins
  };

  std::string_view text() const { return std::string_view{held_}.substr(let_go_); }
  void feed(std::string_view bytes);
  void remember(std::uint64_t raw);
  void go_back(std::uint64_t offset);
  void drop();

  files::stream_bytes source_;
  redaction_maker begin_redaction_;
  begun_redaction redaction_;
  std::size_t most_bytes_;
  std::vector<char> room_;
  std::vector<place> places_{place{}};
  std::uint64_t raw_ = 0;    // read of the source
  std::uint64_t begin_ = 0;  // of what is held
  std::uint64_t needed_ = 0;
  std::string held_;
  std::size_t let_go_ = 0;  // bytes at the front of held_ that are needed no more
  bool all_ = false;
};

}  // namespace tofud::forward
