#include "daemon/terminal/plan_telling.hpp"

#include "daemon/terminal/limits.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/diagnostics/consolidated.hpp"
#include "protocol/diagnostics/diagnostic.hpp"
#include "protocol/feed/diagnostic.hpp"
#include "protocol/redact/limits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

namespace tofud::terminal {
namespace {

constexpr std::size_t plan_columns = 78;

json::keep wording_of_plans(std::string_view top, std::size_t depth, std::string_view key) {
  if (depth == 1 && (key == "@message" || key == "change")) return json::keep::tree;
  if (top == "change" && (depth > 2 || key == "importing" || key == "resource"))
    return json::keep::tree;
  return json::keep::skip;
}

/// "ADDRESS: Refresh complete after 0s" as text has it.
std::string of_reading(std::string_view message) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words = {
      std::pair{": Refreshing...", ": Reading..."},
      std::pair{": Refresh complete after ", ": Read complete after "},
      std::pair{": Still refreshing... ", ": Still reading... "}};
  std::string text{message};
  for (const auto& [of_stream, of_text] : words) {
    if (const auto at = text.rfind(of_stream); at != std::string::npos)
      return text.replace(at, of_stream.size(), of_text);
  }
  return text;
}

std::string cleaned_of(std::string_view text) { return sanitize(text, colours::strip); }

/// Longer than what a plan's first words are, colours and all.
constexpr std::size_t first_words = 128;

/// A line without the colours that it begins with.
std::string_view without_colours(std::string_view line) {
  while (line.starts_with("\x1b[")) {
    const std::size_t end = line.find('m');
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  return line;
}

}  // namespace

plan_telling::plan_telling(part wanted, line_sink out, line_sink err, text::ink::colours colours)
    : part_{wanted},
      out_{std::move(out)},
      err_{std::move(err)},
      colours_{colours},
      pen_{colours},
      lines_{limits::line_bytes},
      wording_{wording_of_plans} {}

void plan_telling::feed(std::string_view bytes) {
  lines_.feed(
      bytes, [this](std::string_view line) { take(line); },
      [this](std::uint64_t size) {
        say_plain("(a line of " + std::to_string(size) + " bytes is not shown)");
      });
}

void plan_telling::end() {
  if (!lines_.rest().empty()) take(lines_.rest());
  lines_.drop();
  if (part_ == part::behind_plan) tell_diagnostics();
  waiting_.clear();
}

void plan_telling::say(std::string_view text, int resets) {
  if (!is_told()) return;
  std::string line;
  line.append(pen_[text::style::reset]).append(pen_[text::style::bold]).append(cleaned_of(text));
  for (int i = 0; i < resets; ++i) line.append(pen_[text::style::reset]);
  out_(line);
}

void plan_telling::say_plain(std::string_view text) {
  if (!is_told()) return;
  std::string rest = sanitize(
      text, colours_ == text::ink::colours::yes ? terminal::colours::keep : colours::strip);
  for (std::string_view left = rest;;) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    out_(left.substr(0, end));
    if (end == left.size()) return;
    left.remove_prefix(end + 1);
  }
}

void plan_telling::settle_diagnostics() {
  if (is_told()) tell_diagnostics();
  waiting_.clear();
}

void plan_telling::tell_diagnostics() {
  diagnostics::diagnostic_drawing wanted;
  wanted.colours = colours_;
  wanted.framing =
      colours_ == text::ink::colours::yes ? diagnostics::framing::rule : diagnostics::framing::none;
  wanted.filter = cleaned_of;
  wanted.width = plan_columns;
  wanted.long_lines = diagnostics::long_lines::shorten;
  for (const feed::diagnostic_row& each : diagnostics::consolidated(std::exchange(waiting_, {}))) {
    const line_sink& to = each.severity == "error" ? err_ : out_;
    const std::string drawn = diagnostics::draw(each, wanted);
    std::string_view rest = drawn;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      to(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

void plan_telling::take(std::string_view line) {
  const ui::parsed_line& parsed = parser_.parse(line);
  if (const auto* found = std::get_if<ui::diagnostic>(&parsed.body); found && parsed.head) {
    if (waiting_.size() >= limits::diagnostics_printed_together) settle_diagnostics();
    waiting_.push_back(feed::to_row(*parsed.head, *found));
    if (seen_) seen_(waiting_.back());
    return;
  }
  settle_diagnostics();
  if (parsed.text && (!parsed.text->empty() || !parsed.head)) say_plain(*parsed.text);
  if (!parsed.head) return;
  // Of a line with text before the message, the message is what follows.
  const std::string_view message = parsed.text ? line.substr(line.rfind("{\"@level\"")) : line;
  if (wording_.parse(message)) return;
  const json::value root = wording_.root();
  const std::string_view said = root["@message"].text();
  const auto of = [&]<typename Message>() { return std::holds_alternative<Message>(parsed.body); };
  if (of.operator()<ui::change_summary>()) {
    has_plan_ = true;
  } else if (of.operator()<ui::planned_change>()) {
    const json::value id = root["change"]["importing"]["id"];
    if (id) {
      say(std::string{root["change"]["resource"]["addr"].text()} +
              ": Preparing import... [id=" + std::string{id.text()} + "]",
          1);
    }
  } else if (of.operator()<ui::refresh_start>() || of.operator()<ui::ephemeral_start>() ||
             of.operator()<ui::ephemeral_progress>() || of.operator()<ui::ephemeral_complete>()) {
    say(said, 1);
  } else if (of.operator()<ui::apply_start>() || of.operator()<ui::apply_progress>()) {
    say(of_reading(said), 2);
  } else if (of.operator()<ui::apply_complete>()) {
    say(of_reading(said), 1);
  } else if (of.operator()<ui::log>() || of.operator()<ui::notice>() ||
             of.operator()<ui::init_output>() || of.operator()<ui::untyped>() ||
             of.operator()<ui::unknown>() || of.operator()<ui::malformed>()) {
    say_plain(said);
  }
}

std::string plan_next_step(std::string_view program, std::string_view file,
                           text::ink::colours colours) {
  const text::ink pen{colours};
  const std::string name{program};
  const std::string command = name == "Terraform" ? "terraform" : "tofu";
  std::string text{pen[text::style::dark_gray]};
  text += "\n";
  for (std::size_t i = 0; i + 1 < plan_columns; ++i) text += "─";
  text.append(pen[text::style::reset]).append("\n\n");
  if (file.empty()) {
    return text + "Note: You didn't use the -out option to save this plan, so " + name +
           " can't\nguarantee to take exactly these actions if you run \"" + command +
           " apply\" now.\n";
  }
  const std::string path{file};
  return text + "Saved the plan to: " + path +
         "\n\nTo perform exactly these actions, run the following command to apply:\n    " +
         command + " apply \"" + path + "\"\n";
}

void shown_plan_reader::feed(std::string_view piece) {
  for (const char c : piece) {
    if (c == '\n') {
      can_be_applied_ = can_be_applied_ && !stops();
      line_.clear();
    } else if (line_.size() < first_words) {
      line_ += c;
    }
  }
}

bool shown_plan_reader::stops() const {
  constexpr std::array<std::string_view, 4> words = {
      "No changes.", "Planning failed.", "Terraform planned the following actions, but then",
      "OpenTofu planned the following actions, but then"};
  const std::string_view line = without_colours(line_);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view each) { return line.starts_with(each); });
}

}  // namespace tofud::terminal
