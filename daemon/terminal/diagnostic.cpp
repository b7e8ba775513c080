#include "daemon/terminal/diagnostic.hpp"

#include "daemon/terminal/sanitize.hpp"
#include "daemon/terminal/style.hpp"
#include "protocol/render/diagnostic.hpp"

#include <algorithm>

namespace tofud::terminal {
namespace {

std::string cleaned(std::string_view text) { return sanitize(text, colours::strip); }

}  // namespace

std::vector<std::string> diagnostic_lines(const feed::diagnostic_row& diagnostic,
                                          render::ink::colours colours) {
  render::diagnostic_drawing wanted;
  wanted.colours = colours;
  wanted.filter = cleaned;
  const std::string drawn = render::draw(diagnostic, wanted);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < drawn.size();) {
    const std::size_t end = std::min(drawn.find('\n', begin), drawn.size());
    lines.push_back(drawn.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string diagnostic_in_short(const feed::diagnostic_row& diagnostic) {
  std::string text = diagnostic.severity == "error" ? "Error: " : "Warning: ";
  text += one_line(render::headline(diagnostic));
  if (!diagnostic.address.empty()) text += ", with " + one_line(diagnostic.address);
  if (diagnostic.range) {
    text += ", on " + one_line(diagnostic.range->filename) + " line " +
            std::to_string(diagnostic.range->start.line);
  }
  return text;
}

}  // namespace tofud::terminal
