#include "protocol/diagnostics/diagnostic.hpp"

#include "protocol/diagnostics/attribute.hpp"
#include "protocol/diagnostics/limits.hpp"
#include "protocol/diff/human.hpp"
#include "protocol/diff/value_change.hpp"
#include "protocol/text/characters.hpp"
#include "protocol/text/word_wrap.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tofud::diagnostics {
namespace {

constexpr std::string_view values_rule = "├────────────────";

// What is kept of a function call: the names in it.
// What stands before, between and behind the lines, by severity.
struct frame {
  std::string label, top, left, bottom;
  std::size_t columns = 0;  // of `left`
};

frame frame_of(std::string_view severity, const text::ink& pen, framing wanted) {
  const bool error = severity == "error";
  const std::string_view reset = pen[text::style::reset];
  // Anything else is not foreseen and has no frame.
  if (!error && severity != "warning") return {"\n" + std::string{reset}.append(reset), "", "", ""};
  const std::string colour{pen[error ? text::style::red : text::style::yellow]};
  const auto glyph = [&](std::string_view text) {
    return (colour + std::string{text}).append(reset);
  };
  frame found;
  found.label.append(pen[text::style::bold])
      .append(glyph(error ? "Error: " : "Warning: "))
      .append(reset);
  if (wanted == framing::none) return found;
  found.top = glyph("╷").append(reset);
  found.left = glyph("│").append(" ").append(reset);
  found.bottom = glyph("╵").append(reset);
  found.columns = 2;
  return found;
}

void append_padded(std::string& out, std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  out.append(width - std::min(width, digits.size()), ' ').append(digits);
}

template <typename Line>
void for_each_line(std::string_view text, Line&& line) {
  for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(end + 1)) {
    end = text.find('\n');
    line(text.substr(0, end));
    if (end == std::string_view::npos) return;
  }
}

class diagnostic_drawer {
 public:
  diagnostic_drawer(const feed::diagnostic_row& diagnostic, const diagnostic_drawing& wanted,
                    json::value difference)
      : diagnostic_{diagnostic},
        wanted_{wanted},
        difference_{difference},
        pen_{wanted.colours},
        frame_{frame_of(diagnostic.severity, pen_, wanted.framing)} {}

  std::string draw() {
    text_.append(frame_.label).append(pen_[text::style::bold]).append(prose(diagnostic_.summary));
    text_.append(pen_[text::style::reset]).append("\n\n").append(pen_[text::style::reset]);
    append_place();
    append_detail();
    append_attribute();
    return framed();
  }

 private:
  std::string verbatim(std::string_view text) const {
    return wanted_.filter ? wanted_.filter(text) : std::string{text};
  }
  // Text in which OpenTofu itself shows control characters as pictures.
  std::string prose(std::string_view text) const { return text::control_pictures(verbatim(text)); }

  void append_place() {
    if (!diagnostic_.address.empty()) {
      text_.append("  with ").append(verbatim(diagnostic_.address)).append(",\n");
    }
    if (!diagnostic_.range) return;
    text_.append("  on ").append(prose(diagnostic_.range->filename)).append(" line ");
    text_.append(std::to_string(diagnostic_.range->start.line));
    if (diagnostic_.snippet)
      append_snippet(*diagnostic_.snippet);
    else
      text_.append(":\n  (source code not available)\n");
    text_.push_back('\n');
  }

  void append_snippet(const feed::source_snippet& snippet) {
    if (snippet.path) {
      if (!snippet.path->empty()) text_.append(", at ").append(verbatim(*snippet.path));
    } else if (snippet.context) {
      text_.append(", in ").append(verbatim(*snippet.context));
    }
    text_.append(":\n");
    if (snippet.path)
      append_block(snippet);
    else
      append_code(snippet);
    append_values(snippet);
    append_difference();
  }

  // The code around its fault, as people get to see it.
  struct parts {
    std::string before, fault, behind;
  };

  parts parts_of(const feed::source_snippet& snippet) const {
    const std::string_view code = snippet.code;
    const auto size = static_cast<std::int64_t>(code.size());
    const std::int64_t from = snippet.highlight_start_offset;
    const std::int64_t to = std::max(snippet.highlight_end_offset, from);
    const auto begin = static_cast<std::size_t>(std::clamp<std::int64_t>(from, 0, size));
    auto end = static_cast<std::size_t>(std::clamp<std::int64_t>(to, 0, size));
    // A range that ends before it starts marks one byte.
    if (snippet.highlight_end_offset < from && from >= 0 && end < code.size()) ++end;
    return {prose(code.substr(0, begin)), prose(code.substr(begin, end - begin)),
            prose(code.substr(end))};
  }

  std::string underlined(const parts& of) const {
    std::string marked = of.before;
    marked.append(pen_[text::style::underline]);
    marked.append(of.fault).append(pen_[text::style::reset]);
    return marked.append(of.behind).append(pen_[text::style::reset]);
  }

  void append_code(const feed::source_snippet& snippet) {
    const std::string marked = underlined(parts_of(snippet));
    std::int64_t number = snippet.start_line;
    for_each_line(marked, [&](std::string_view line) {
      append_padded(text_, number++, 4);
      text_.append(": ").append(line).append("\n");
    });
  }

  // Lines that the file does not have. Where a long fault begins is marked, which is in no need of
  // colours.
  void append_block(const feed::source_snippet& snippet) {
    if (snippet.code.empty()) return;
    const parts of = parts_of(snippet);
    const std::size_t last_line = of.before.rfind('\n');
    const std::string_view left =
        std::string_view{of.before}.substr(last_line == std::string::npos ? 0 : last_line + 1);
    const std::string_view fault = std::string_view{of.fault}.substr(0, of.fault.find('\n'));
    const auto faulty = std::count(of.before.begin(), of.before.end(), '\n');
    std::ptrdiff_t number = 0;
    const std::string marked = underlined(of);
    for_each_line(marked, [&](std::string_view line) {
      text_.append(4, ' ').append(line).append("\n");
      if (number++ != faulty) return;
      text_.append(4 + text::count_characters(left), ' ');
      text_.append(std::max<std::size_t>(text::count_characters(fault), 1), '^').append("\n");
    });
  }

  void append_values_rule() {
    text_.append("    ").append(pen_[text::style::dark_gray]).append(values_rule);
    text_.append(pen_[text::style::reset]).append("\n").append(pen_[text::style::reset]);
  }

  // The rule at the left of a value; the phrase that it begins is still to be ended.
  void append_values_edge() {
    text_.append("    ")
        .append(pen_[text::style::dark_gray])
        .append("│")
        .append(pen_[text::style::reset]);
    text_.append(" ");
  }

  void append_bold(std::string_view text) {
    text_.append(pen_[text::style::bold]).append(text).append(pen_[text::style::reset]);
  }

  void append_values(const feed::source_snippet& snippet) {
    json::document_parser parser{json::keep_everything};
    json::value call;
    if (!snippet.function_call.empty() && !parser.parse(snippet.function_call))
      call = parser.root();
    const json::value signature = call["signature"];
    const bool called = signature.is(json::kind::object);
    if (snippet.values.empty() && !called) return;
    append_values_rule();
    if (called) append_call(call["called_as"].text(), signature);
    std::vector<const feed::expression_value*> sorted;
    for (const feed::expression_value& each : snippet.values) sorted.push_back(&each);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto* a, const auto* b) { return a->traversal < b->traversal; });
    for (const feed::expression_value* each : sorted) {
      append_values_edge();
      append_bold(verbatim(each->traversal));
      text_.append(" ")
          .append(verbatim(each->statement))
          .append("\n")
          .append(pen_[text::style::reset]);
    }
  }

  void append_call(std::string_view name, json::value signature) {
    append_values_edge();
    text_.append("while calling ");
    append_bold(verbatim(name));
    text_.append("(").append(pen_[text::style::reset]);
    bool first = true;
    const auto append_parameter = [&](json::value parameter, std::string_view suffix) {
      if (!first) text_.append(", ");
      first = false;
      text_.append(verbatim(parameter["name"].text())).append(suffix);
    };
    for (const json::value each : signature["params"]) append_parameter(each, "");
    const json::value rest = signature["variadic_param"];
    if (rest.is(json::kind::object)) append_parameter(rest, "...");
    text_.append(")\n");
  }

  void append_difference() {
    if (!difference_.is(json::kind::object)) return;
    append_values_rule();
    append_values_edge();
    append_bold("Diff: ");
    text_.append(pen_[text::style::reset]);
    const diff::sides sides{difference_["before"], difference_["after"],
                            difference_["after_unknown"], difference_["before_sensitive"],
                            difference_["after_sensitive"]};
    // The first line is the only one that does not begin with the room for a sign.
    std::string drawn = "    ";
    if (diff::worth_drawing(sides))
      drawn += diff::draw(diff::compute(sides), pen_, wanted_.filter);
    else
      drawn += "(too large to show)";
    for_each_line(drawn, [&](std::string_view line) {
      text_.append("\n");
      append_values_edge();
      text_.append(pen_[text::style::reset]).append(line);
    });
    text_.append("\n");
  }

  void append_detail() {
    if (diagnostic_.detail.empty()) return;
    const std::size_t margin = frame_.columns + 1;
    const std::string detail = prose(diagnostic_.detail);
    for_each_line(detail, [&](std::string_view line) {
      const bool wraps = wanted_.width > margin && !line.starts_with(' ');
      if (wraps)
        text_.append(text::wrap_words(line, wanted_.width - margin));
      else
        text_.append(line);
      text_.append("\n");
    });
  }

  void append_attribute() {
    if (!diagnostic_.attribute) return;
    const std::size_t margin = frame_.columns + 1;
    const std::size_t width = wanted_.width > margin ? wanted_.width - margin : 0;
    if (!diagnostic_.detail.empty()) text_.push_back('\n');
    text_.append(diagnostics::draw(*diagnostic_.attribute, pen_, width, wanted_.filter));
  }

  // So that what stays is less than the limit, and ends with a whole character.
  static std::size_t too_many_bytes(std::string_view line) {
    if (line.size() < limits::drawn_line_bytes) return 0;
    std::size_t stays = limits::drawn_line_bytes - 1;
    while (stays > 0 && (static_cast<unsigned char>(line[stays]) & 0xC0U) == 0x80) --stays;
    return line.size() - stays;
  }

  std::string framed() const {
    std::string out = frame_.top + "\n";
    std::string_view rest = text_;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      const std::size_t left_out = too_many_bytes(line);
      if (left_out > 0 && wanted_.long_lines == long_lines::end_the_drawing) break;
      line.remove_suffix(left_out);
      if (line.ends_with('\r')) line.remove_suffix(1);
      std::string_view left = frame_.left;
      if (line.empty() && left.ends_with(' ')) left.remove_suffix(1);
      out.append(left).append(line);
      if (left_out > 0) out.append("… ").append(std::to_string(left_out)).append(" bytes left out");
      out.push_back('\n');
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (wanted_.framing == framing::none) return out;
    return out.append(frame_.bottom).append("\n");
  }

  const feed::diagnostic_row& diagnostic_;
  const diagnostic_drawing& wanted_;
  json::value difference_;
  text::ink pen_;
  frame frame_;
  std::string text_;
};

}  // namespace

std::string draw(const feed::diagnostic_row& diagnostic, const diagnostic_drawing& wanted,
                 json::value difference) {
  return diagnostic_drawer{diagnostic, wanted, difference}.draw();
}

std::string_view headline(const feed::diagnostic_row& diagnostic) {
  for (const std::string* text : {&diagnostic.summary, &diagnostic.detail}) {
    std::string_view all = text::trim(*text);
    const std::string_view line = text::trim(all.substr(0, all.find('\n')));
    if (!line.empty()) return line;
  }
  return {};
}

}  // namespace tofud::diagnostics
