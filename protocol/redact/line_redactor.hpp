// One line of a stream, as it may leave this machine.
#pragma once

#include "protocol/redact/finder.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/redact/masks.hpp"
#include "protocol/ui/parse_message.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tofud::redact {

/// Redacts lines, one by one and each by itself. What a line is (a message, text, text with a
/// message behind it) and everything the fold counts stays as it is; strings are masked, and
/// payloads that never leave the process become null. A line that holds nothing of that comes out
/// byte for byte. Remembers buffers and masks, nothing of the lines.
class line_redactor {
 public:
  explicit line_redactor(const std::shared_ptr<const ready_rules>& what,
                         std::size_t max_line = limits::line_bytes);

  /// Appends what `line` (without its newline) becomes; never a newline, and never more than
  /// `max_line` bytes if the line has no more.
  void redact(std::string_view line, std::string& out);
  /// The same for what stands behind the last newline, which may be torn.
  void redact_last(std::string_view line, std::string& out);

 private:
  void message(std::string_view object, const ui::parsed_line& parsed, std::string& out);
  void text(std::string_view line, std::string& out);
  void masked(std::string_view text, finder::extent what, std::string& out);
  template <typename Write>
  void write_within_limit(Write&& write, std::string& out);
  void redact_suspect(std::string_view line, std::string& out);

  provisioner_output provisioners_;
  std::size_t max_line_;
  finder finder_;
  masks masks_;
  ui::message_parser parser_;
};

}  // namespace tofud::redact
