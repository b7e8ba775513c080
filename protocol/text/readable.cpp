#include "protocol/text/readable.hpp"

#include "protocol/text/utf8.hpp"

#include <algorithm>

namespace tofud::text {
namespace {

// Length of the terminal sequence at the beginning of `text`, which starts with ESC: colours and
// the like (CSI); of any other only the ESC, whose text stays readable.
std::size_t sequence_length(std::string_view text) {
  if (text.size() < 2 || text[1] != '[') return 1;
  const std::size_t last = text.find_first_not_of("0123456789:;<=>? !\"#$%&'()*+,-./", 2);
  return last == std::string_view::npos || text[last] < '@' || text[last] > '~' ? 2 : last + 1;
}

// Bytes of a character that could mislead or that XML 1.0 does not allow; 0 if `rest` begins with
// none: U+0080 to U+009F, U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069, U+FFFE,
// U+FFFF.
std::size_t unwanted_character(std::string_view rest) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(rest[k]); };
  if (rest.size() >= 2 && byte(0) == 0xC2 && byte(1) < 0xA0) return 2;
  if (rest.starts_with("\xD8\x9C")) return 2;
  if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) return 3;
  if (rest.size() < 3 || byte(0) != 0xE2) return 0;
  const bool override = (byte(1) == 0x80 && (byte(2) == 0x8E || byte(2) == 0x8F ||
                                             (byte(2) >= 0xAA && byte(2) <= 0xAE))) ||
                        (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
  return override ? 3 : 0;
}

}  // namespace

std::string readable(std::string_view raw) {
  const std::string valid = text::replace_invalid_utf8(raw);
  std::string out;
  out.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size();) {
    const std::string_view rest = std::string_view{valid}.substr(i);
    const auto c = static_cast<unsigned char>(rest.front());
    if (c == 0x1b) {
      i += sequence_length(rest);
    } else if (c == '\r') {
      if (!rest.starts_with("\r\n")) out.push_back('\n');
      ++i;
    } else if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) {
      out.append(replacement);
      ++i;
    } else if (const std::size_t length = unwanted_character(rest)) {
      out.append(replacement);
      i += length;
    } else {
      out.push_back(rest.front());
      ++i;
    }
  }
  return out;
}

std::string readable_line(std::string_view text) {
  std::string line = readable(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

std::string beginning(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  return text + "…";
}

}  // namespace tofud::text
