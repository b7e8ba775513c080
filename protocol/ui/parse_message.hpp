// Line to message.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/ui/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud::ui {

/// One line of the stream: text, a message, or text with a message behind it (shell output without
/// a newline before tofu's own line).
struct parsed_line {
  std::optional<std::string_view> text;  // without a trailing CR
  std::optional<envelope> head;          // present if there is a message
  ui::message body;
  bool incomplete = false;  // the message is too deep or too much: read up to there, so malformed
};

/// What becomes of the two sides of a failed comparison, which a diagnostic shows in clear: they
/// never leave the process, so that what goes on to rows and subscribers does not even have them.
enum class differences : bool { drop, keep };

/// Whether this is the `type` of some message there is a struct for.
bool is_known_type(std::string_view type);

/// Remembers buffers between lines, nothing else.
class message_parser {
 public:
  explicit message_parser(differences of_diagnostics = differences::drop);

  /// Never fails: what is no UI message is text. A UI message is a JSON object whose `@module` is
  /// `tofu.ui` or `terraform.ui`. The result is valid until the next call, and as long as `line`
  /// is.
  const parsed_line& parse(std::string_view line);

  /// Whether the whole of `line` is one JSON object; tells a finished last line from a torn one.
  bool is_whole_object(std::string_view line);

 private:
  enum class line_kind : std::uint8_t { ui_message, other_object, no_object };
  line_kind parse_object(std::string_view line);
  /// Parses `line`, again with U+FFFD in the place of what is no UTF-8 if that is all that is
  /// wrong.
  std::optional<json::parse_error> parse_repaired(std::string_view line);

  json::document_parser parser_;
  std::string sanitized_;  // a line with U+FFFD where it was no UTF-8
  parsed_line parsed_;
};

}  // namespace tofud::ui
