#include "daemon/cli/mdoc.hpp"

#include <algorithm>

namespace tofud::cli {
namespace {

constexpr std::size_t line_width = 78;

/// Breaks between words, so that no line is longer than readers of the source like.
std::string wrapped(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t size = end - begin;
    if (column > 0) {
      // A sentence begins on a line of its own.
      const bool fits = column + 1 + size <= line_width && out.back() != '.';
      out.push_back(fits ? ' ' : '\n');
      column = fits ? column + 1 : 0;
      if (!fits && (text[begin] == '.' || text[begin] == '\'')) out += "\\&";
    }
    out.append(text, begin, size);
    column += size;
    begin = end + 1;
  }
  return out;
}

/// None of it is an escape.
std::string plain(std::string_view said) {
  std::string out;
  for (const char c : said) {
    if (c == '\n') {
      out.push_back(' ');
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace

std::string mdoc_text(std::string_view said) {
  const bool begins_like_a_request = said.starts_with('.') || said.starts_with('\'');
  return wrapped((begins_like_a_request ? "\\&" : "") + plain(said));
}

}  // namespace tofud::cli
