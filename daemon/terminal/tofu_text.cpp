#include "daemon/terminal/tofu_text.hpp"

#include "daemon/terminal/diagnostic.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/diagnostics/generated_snippet.hpp"
#include "protocol/feed/diagnostic.hpp"
#include "protocol/redact/limits.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace tofud::terminal {
namespace {

json::keep only_wording(std::string_view, std::size_t depth, std::string_view key) {
  return depth == 1 && key == "@message" ? json::keep::tree : json::keep::skip;
}

}  // namespace

tofu_text::tofu_text(line_sink out, line_sink err, text::ink::colours colours)
    : out_{std::move(out)},
      err_{std::move(err)},
      colours_{colours},
      lines_{limits::line_bytes},
      wording_{only_wording} {}

void tofu_text::feed(std::string_view bytes) {
  lines_.feed(
      bytes, [this](std::string_view line) { take(line); },
      [this](std::uint64_t size) {
        say("(a line of " + std::to_string(size) + " bytes is not shown)");
      });
}

void tofu_text::end() {
  if (!lines_.rest().empty()) take(lines_.rest());
  lines_.drop();
}

void tofu_text::say(std::string_view line) { out_(line); }

void tofu_text::say_text(std::string_view text) {
  std::string rest =
      sanitize(text, colours_ == text::ink::colours::yes ? colours::keep : colours::strip);
  for (std::string_view left = rest;;) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    say(left.substr(0, end));
    if (end == left.size()) return;
    left.remove_prefix(end + 1);
  }
}

void tofu_text::say_outputs(const ui::outputs& outputs) {
  if (outputs.stage != ui::output_stage::applied) return;
  bool first = true;
  for (const json::value each : outputs.entries) {
    if (std::exchange(first, false)) {
      say("");
      say("Outputs:");
      say("");
    }
    const bool sensitive = each["sensitive"].is(json::kind::boolean_true);
    const std::string_view value = each["value"].text();
    say_text(std::string{each.key()} + " = " + std::string{sensitive ? "<sensitive>" : value});
  }
}

void tofu_text::take(std::string_view line) {
  const ui::parsed_line& parsed = parser_.parse(line);
  if (parsed.text && (!parsed.text->empty() || !parsed.head)) say_text(*parsed.text);
  if (!parsed.head || std::holds_alternative<ui::version>(parsed.body)) return;
  if (const auto* found = std::get_if<ui::diagnostic>(&parsed.body)) {
    feed::diagnostic_row row = feed::to_row(*parsed.head, *found);
    diagnostics::redraw_generated(row);
    const line_sink& to = row.severity == "error" ? err_ : out_;
    for (const std::string& drawn : diagnostic_lines(row, colours_)) to(drawn);
    return;
  }
  if (const auto* found = std::get_if<ui::outputs>(&parsed.body)) return say_outputs(*found);
  // Of a line with text before the message, the message is what follows.
  const std::string_view message = parsed.text ? line.substr(line.rfind("{\"@level\"")) : line;
  if (wording_.parse(message)) return;
  if (std::holds_alternative<ui::change_summary>(parsed.body)) say("");
  say_text(wording_.root()["@message"].text());
}

}  // namespace tofud::terminal
