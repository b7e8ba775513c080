#include "protocol/diff/diff_fence.hpp"

#include "protocol/text/limits.hpp"
#include "protocol/text/markdown.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>
#include <optional>

namespace tofud::diff {
namespace {

constexpr char escape = '\x1b';
constexpr std::string_view reset = "\x1b[0m";
constexpr std::size_t sign_columns = 3;  // "-/+"

std::string without_colours(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == escape)
      i = std::min(line.find('m', i), line.size());
    else
      plain.push_back(line[i]);
  }
  return plain;
}

// How the line of a sign begins for GitHub.
std::optional<char> mark_of(std::string_view sign) {
  if (sign == "+" || sign == "-") return sign.front();
  if (sign == "~" || sign == "-/+" || sign == "+/-" || sign == "." || sign == "./+") return '!';
  if (sign == "<=") return ' ';
  return {};
}

// Whether what is visible first in a line is in colour: signs are, and values never. A reset may
// stand before it, of the line above.
bool begins_in_colour(std::string_view line) {
  bool coloured = false;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.starts_with(escape)) return coloured;
    coloured = !line.starts_with(reset);
    line.remove_prefix(std::min(line.find('m'), line.size() - 1) + 1);
  }
}

std::string marked(std::string_view line) {
  std::string plain = without_colours(line);
  const std::size_t begin = std::min(plain.find_first_not_of(' '), plain.size());
  if (begins_in_colour(line)) {
    const std::size_t end = std::min(plain.find(' ', begin), plain.size());
    if (const auto mark = mark_of(std::string_view{plain}.substr(begin, end - begin))) {
      std::fill(plain.begin() + static_cast<std::ptrdiff_t>(begin),
                plain.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      return *mark + plain.substr(std::min(sign_columns, plain.size()));
    }
  }
  return plain.substr(std::min(begin, sign_columns - 1));
}

}  // namespace

std::string diff_fence(std::string_view drawn, std::size_t bytes) {
  std::string lines;
  std::size_t left_out = 0;
  while (!drawn.empty()) {
    const std::size_t end = drawn.find('\n');
    const std::string_view line = drawn.substr(0, end);
    drawn = end == std::string_view::npos ? std::string_view{} : drawn.substr(end + 1);
    if (left_out == 0) {
      const std::string shown = text::beginning(marked(line), limits::markdown_word_bytes);
      if (lines.size() + shown.size() < bytes) {
        lines.append(shown).push_back('\n');
        continue;
      }
    }
    ++left_out;
  }
  if (left_out > 0) lines.append("… and ").append(std::to_string(left_out)).append(" more lines\n");
  return text::markdown_block(lines, "diff", lines.size());
}

}  // namespace tofud::diff
