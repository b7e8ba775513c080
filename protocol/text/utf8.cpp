#include "protocol/text/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace tofud::text {
namespace {

constexpr std::uint8_t at(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

}  // namespace

std::size_t character_length(std::string_view text, std::size_t i) {
  const std::uint8_t lead = at(text, i);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((at(text, i + k) & 0xC0) != 0x80) return 0;
  }
  const std::uint8_t second = at(text, i + 1);
  if (lead == 0xE0 && second < 0xA0) return 0;
  if (lead == 0xED && second > 0x9F) return 0;
  if (lead == 0xF0 && second < 0x90) return 0;
  if (lead == 0xF4 && second > 0x8F) return 0;
  return length;
}

bool valid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    // Eight bytes at a time where all are ASCII, as nearly all of it is.
    std::uint64_t eight = 0;
    constexpr std::uint64_t beyond_ascii = 0x8080808080808080;
    while (i + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + i, sizeof eight);
      if ((eight & beyond_ascii) != 0) break;
      i += sizeof eight;
    }
    if (i == text.size()) break;
    if (at(text, i) < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = character_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string replace_invalid_utf8(std::string_view text) {
  if (valid_utf8(text)) return std::string{text};
  std::string out;
  out.reserve(text.size() + 16);
  for (std::size_t i = 0; i < text.size();) {
    if (at(text, i) < 0x80) {
      out.push_back(text[i++]);
      continue;
    }
    const std::size_t length = character_length(text, i);
    if (length == 0) {
      out.append(replacement);
      ++i;
    } else {
      out.append(text, i, length);
      i += length;
    }
  }
  return out;
}

}  // namespace tofud::text
