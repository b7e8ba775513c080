#include "protocol/text/markdown.hpp"

#include "protocol/text/limits.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>

namespace tofud::text {
namespace {

// A letter or digit, or part of a character beyond ASCII.
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::size_t longest_run(std::string_view text, char wanted) {
  std::size_t longest = 0;
  std::size_t now = 0;
  for (const char c : text) {
    now = c == wanted ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  return longest;
}

std::string word(std::string_view raw) {
  return beginning(readable_line(raw), limits::markdown_word_bytes);
}

// Numeric references are never markup; `.`, `:` and `@` are among them because of links.
std::string as_html(std::string_view text) {
  constexpr std::string_view harmless = " \"'%(),-/=+?;";
  std::string out = "<code>";
  for (const char c : text) {
    if (is_word(c) || harmless.find(c) != std::string_view::npos)
      out.push_back(c);
    else
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
  }
  return out + "</code>";
}

}  // namespace

std::string markdown_code(std::string_view raw) {
  const std::string text = word(raw);
  constexpr std::string_view simple = " \"'#%(),-./:;=?@+[]{}!_$^*&<>~";
  const bool plain = std::all_of(text.begin(), text.end(), [&](char c) {
    return is_word(c) || simple.find(c) != std::string_view::npos;
  });
  if (text.find_first_not_of(' ') == std::string::npos) return "";
  if (plain && !text.starts_with(' ') && !text.ends_with(' ')) return "`" + text + "`";
  // Backticks, and pipes and backslashes in tables, can't all be written in a code span.
  return as_html(text);
}

std::string html_code(std::string_view raw) { return as_html(word(raw)); }

std::string markdown_block(std::string_view raw, std::string_view language, std::size_t bytes) {
  const std::string text = beginning(readable(raw), bytes);
  const std::string fence(std::max<std::size_t>(3, longest_run(text, '`') + 1), '`');
  std::string block = fence;
  block.append(language).append("\n").append(text);
  if (!text.ends_with('\n')) block.push_back('\n');
  return block.append(fence).append("\n");
}

}  // namespace tofud::text
