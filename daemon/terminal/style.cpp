#include "daemon/terminal/style.hpp"

#include "daemon/terminal/sanitize.hpp"
#include "protocol/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace tofud::terminal {
namespace {

struct mark {
  std::string_view utf8, ascii;
};

// What tofud and OpenTofu's drawing of diagnostics use.
constexpr std::array marks = {
    mark{"…", "..."}, mark{"·", "-"}, mark{"✓", "ok"}, mark{"✗", "x"}, mark{"⚠", "!"},
    mark{"│", "|"},   mark{"╷", ","}, mark{"╵", "'"},  mark{"├", "|"}, mark{"─", "-"},
};

bool is_utf8(std::string_view locale) {
  std::string letters;
  for (const char c : locale) {
    if (c != '-') letters.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return letters.find("utf8") != std::string::npos;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

}  // namespace

charset charset_of(const environment& env) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* locale = env(name);
    if (locale == nullptr || *locale == '\0') continue;
    return is_utf8(locale) ? charset::utf8 : charset::ascii;
  }
  return charset::ascii;
}

std::string in_charset(std::string_view text, charset set) {
  if (set == charset::utf8 || text::is_ascii(text)) return std::string{text};
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      out.push_back(text.front());
      text.remove_prefix(1);
      continue;
    }
    const auto* known = std::find_if(marks.begin(), marks.end(),
                                     [&](const mark& each) { return text.starts_with(each.utf8); });
    if (known != marks.end()) {
      out.append(known->ascii);
      text.remove_prefix(known->utf8.size());
      continue;
    }
    out.push_back('?');
    do text.remove_prefix(1);
    while (!text.empty() && continues(text.front()));
  }
  return out;
}

std::string style::paint(hue colour, std::string_view text) const {
  std::string out;
  paint(out, colour, text);
  return out;
}

void style::paint(std::string& out, hue colour, std::string_view text) const {
  constexpr std::array codes = {"",         "\x1b[31m", "\x1b[32m", "\x1b[33m",
                                "\x1b[36m", "\x1b[2m",  "\x1b[1m"};
  if (!coloured || colour == hue::none || text.empty()) {
    out.append(text);
    return;
  }
  out.append(codes.at(static_cast<std::size_t>(colour))).append(text).append("\x1b[0m");
}

std::string one_line(std::string_view text) {
  std::string clean = sanitize(text, colours::strip);
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return clean;
}

void append_one_line(std::string& out, std::string_view text) {
  if (text::is_printed_ascii(text))
    out.append(text);
  else
    out.append(one_line(text));
}

}  // namespace tofud::terminal
