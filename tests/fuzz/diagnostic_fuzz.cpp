// Any line as a diagnostic: it is drawn, the same in every colour, and steers no terminal.
#include "daemon/terminal/sanitize.hpp"
#include "protocol/diagnostics/diagnostic.hpp"
#include "protocol/diagnostics/limits.hpp"
#include "protocol/feed/diagnostic.hpp"
#include "protocol/ui/parse_message.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace tofud {
namespace {

void demand(bool holds, std::string_view what, std::string_view seen) {
  if (holds) return;
  std::cerr << what << ": " << seen.substr(0, 2000) << "\n";
  std::abort();
}

// Colour codes of ours are all that may be left of ESC.
std::string without_colours(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with("\x1b[")) {
      const std::size_t end = text.find('m');
      demand(end < 5, "a code that is none of ours", text);
      text.remove_prefix(end + 1);
    } else {
      out.push_back(text.front());
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string without_trailing_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      while (out.ends_with(' ')) out.pop_back();
    }
    out.push_back(c);
  }
  return out;
}

void draw_all(const feed::diagnostic_row& row, json::value difference) {
  const auto filter = [](std::string_view text) {
    return terminal::sanitize(text, terminal::colours::strip);
  };
  const auto draw = [&](text::ink::colours colours, std::size_t width) {
    return diagnostics::draw(row, {.colours = colours, .width = width, .filter = filter},
                             difference);
  };
  for (const std::size_t width : {0U, 3U, 4U, 20U, 78U}) {
    const std::string plain = draw(text::ink::colours::no, width);
    demand(plain.ends_with('\n'), "no newline at the end", plain);
    for (const char c : plain) {
      const auto byte = static_cast<unsigned char>(c);
      demand((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t', "a control", plain);
    }
    const std::string coloured = draw(text::ink::colours::yes, width);
    const std::string bare = without_colours(coloured);
    // Codes make a line at the limit of OpenTofu's reader too long, and an empty one not empty.
    const bool short_lines = coloured.size() < limits::drawn_line_bytes;
    // What ends with a code alone is one more line, before the last one.
    const std::string wanted = without_trailing_blanks(plain);
    const std::size_t last = wanted.rfind('\n', wanted.size() - 2);
    demand(!short_lines || without_trailing_blanks(bare).starts_with(wanted.substr(0, last)),
           "colours change the text", plain);
  }
  diagnostics::draw(row, {}, difference);
}

}  // namespace
}  // namespace tofud

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud;
  const std::string_view line{reinterpret_cast<const char*>(data), size};
  ui::message_parser parser{ui::differences::keep};
  const auto& parsed = parser.parse(line);
  if (!parsed.head) return 0;
  if (const auto* found = std::get_if<ui::diagnostic>(&parsed.body)) {
    draw_all(feed::to_row(*parsed.head, *found), found->difference);
  }
  return 0;
}
