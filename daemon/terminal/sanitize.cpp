#include "daemon/terminal/sanitize.hpp"

#include "protocol/text/ascii.hpp"
#include "protocol/text/utf8.hpp"

namespace tofud::terminal {
namespace {

constexpr char escape = '\x1b';

bool is_parameter(char c) { return c >= 0x20 && c <= 0x3f; }
bool is_intermediate(char c) { return c >= 0x20 && c <= 0x2f; }

// Where a sequence ends whose last byte may stand at `k`. Anything below `first` or beyond ASCII
// breaks the sequence off and is no part of it: another escape, a newline, half a character.
std::size_t behind_final(std::string_view text, std::size_t k, char first) {
  return k < text.size() && text[k] >= first && text[k] <= 0x7e ? k + 1 : k;
}

// Length of the escape sequence at `i` (ECMA-48: CSI, strings such as OSC, and the short ones).
std::size_t sequence_length(std::string_view text, std::size_t i) {
  std::size_t k = i + 1;
  if (k >= text.size()) return 1;
  const char kind = text[k++];
  if (kind == '[') {
    while (k < text.size() && is_parameter(text[k])) ++k;
    return behind_final(text, k, 0x40) - i;
  }
  if (kind == ']' || kind == 'P' || kind == '_' || kind == '^' || kind == 'X') {
    // Ends with BEL or ESC \; one that never ends swallows the rest, as it would in a terminal.
    for (; k < text.size(); ++k) {
      if (text[k] == '\a') return k + 1 - i;
      if (text[k] == escape) return (k + 1 < text.size() && text[k + 1] == '\\' ? k + 2 : k) - i;
    }
    return text.size() - i;
  }
  for (k = i + 1; k < text.size() && is_intermediate(text[k]);) ++k;
  return behind_final(text, k, 0x30) - i;
}

bool is_colour(std::string_view sequence) {
  if (!sequence.starts_with("\x1b[") || !sequence.ends_with('m')) return false;
  const std::string_view parameters = sequence.substr(2, sequence.size() - 3);
  return parameters.find_first_not_of("0123456789;:") == std::string_view::npos;
}

// U+0080 to U+009F, U+202A to U+202E, U+2066 to U+2069, U+200E, U+200F and U+061C: their UTF-8.
std::size_t forbidden_character(std::string_view rest) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(rest[k]); };
  if (rest.size() >= 2 && byte(0) == 0xC2 && byte(1) < 0xA0) return 2;
  if (rest.starts_with("\xD8\x9C")) return 2;
  if (rest.size() < 3 || byte(0) != 0xE2) return 0;
  if (byte(1) == 0x80 &&
      ((byte(2) >= 0xAA && byte(2) <= 0xAE) || byte(2) == 0x8E || byte(2) == 0x8F)) {
    return 3;
  }
  if (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9) return 3;
  return 0;
}

}  // namespace

std::string sanitize(std::string_view raw, colours wanted) {
  if (text::is_printed_ascii(raw)) return std::string{raw};
  const std::string text = text::replace_invalid_utf8(raw);
  std::string out;
  out.reserve(text.size());
  bool coloured = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == escape) {
      const std::size_t length = sequence_length(text, i);
      const std::string_view sequence = std::string_view{text}.substr(i, length);
      if (wanted == colours::keep && is_colour(sequence)) {
        out.append(sequence);
        coloured = true;
      }
      i += length;
    } else if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == 0x7f) {
      ++i;
    } else if (const std::size_t length = forbidden_character(std::string_view{text}.substr(i))) {
      i += length;
    } else {
      out.push_back(c);
      ++i;
    }
  }
  if (coloured) out.append("\x1b[0m");
  return out;
}

}  // namespace tofud::terminal
