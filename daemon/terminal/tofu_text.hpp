// What OpenTofu would have printed for people, told from its stream: for `tofud run` with a version
// that can't do both.
#pragma once

#include "daemon/terminal/plain.hpp"
#include "protocol/json/document.hpp"
#include "protocol/text/ink.hpp"
#include "protocol/ui/line_splitter.hpp"
#include "protocol/ui/parse_message.hpp"

#include <string_view>

namespace tofud::terminal {

/// Messages as they word themselves, errors drawn and on a line sink of their own, outputs with
/// their values, other lines as they came; no control sequence from outside. A plan's details are
/// not in the stream: it names what changes.
class tofu_text {
 public:
  tofu_text(line_sink out, line_sink err, text::ink::colours colours);

  void feed(std::string_view bytes);
  /// The last line may lack its newline.
  void end();

 private:
  void take(std::string_view line);
  void say(std::string_view line);
  void say_outputs(const ui::outputs& outputs);
  void say_text(std::string_view text);

  line_sink out_, err_;
  text::ink::colours colours_;
  ui::line_splitter lines_;
  ui::message_parser parser_;
  json::document_parser wording_;  // of `@message`
};

}  // namespace tofud::terminal
