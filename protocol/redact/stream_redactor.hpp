// A stream as it may leave this machine: bytes in, redacted bytes out.
#pragma once

#include "protocol/redact/limits.hpp"
#include "protocol/redact/line_redactor.hpp"
#include "protocol/redact/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::redact {

/// Redacts a stream line by line: one line becomes exactly one line, so that both streams fold to
/// the same rows under the same sequence numbers. Any cut of the input gives the same output, and a
/// line does not depend on those before it: who knows where a line begins may begin there.
/// Remembers one unfinished line of at most `max_line` bytes; of a longer one only its length comes
/// out, as so many spaces, since the fold skips it anyway.
class stream_redactor {
 public:
  explicit stream_redactor(const rules& what, std::size_t max_line = limits::line_bytes);
  /// With rules that other streams have as well.
  explicit stream_redactor(const std::shared_ptr<const ready_rules>& what,
                           std::size_t max_line = limits::line_bytes);

  /// From the line on that is unfinished now, by other rules of the same salt.
  void redact_by(const std::shared_ptr<const ready_rules>& what);

  /// Appends the redacted text of the lines that end in `bytes`.
  void feed(std::string_view bytes, std::string& out);
  /// The stream is over: appends what its last line without a newline becomes.
  void finish(std::string& out);

  /// Bytes given out.
  std::uint64_t offset() const { return redacted_; }
  /// Bytes of memory that the unfinished line takes.
  std::size_t memory() const { return held_.capacity(); }

 private:
  std::optional<line_redactor> line_;  // always one
  std::size_t max_line_;
  std::string held_;       // the unfinished line
  bool too_long_ = false;  // it is beyond max_line_: already given out as filler
  std::uint64_t redacted_ = 0;
};

}  // namespace tofud::redact
