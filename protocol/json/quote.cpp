#include "protocol/json/quote.hpp"

#include "protocol/json/plain_text.hpp"
#include "protocol/text/utf8.hpp"

#include <cstdint>
#include <limits>

namespace tofud::json {
namespace {

constexpr std::uint8_t at(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

// Where the first byte from `i` on stands that is not written as it is.
std::size_t end_of_plain(std::string_view text, std::size_t i) {
  return static_cast<std::size_t>(json::end_of_plain(text.data() + i, text.data() + text.size()) -
                                  text.data());
}

void append_escape(std::string& out, std::uint8_t c) {
  constexpr std::string_view digits = "0123456789abcdef";
  out.push_back('\\');
  switch (c) {
    case '"':
      out.push_back('"');
      return;
    case '\\':
      out.push_back('\\');
      return;
    case '\b':
      out.push_back('b');
      return;
    case '\f':
      out.push_back('f');
      return;
    case '\n':
      out.push_back('n');
      return;
    case '\r':
      out.push_back('r');
      return;
    case '\t':
      out.push_back('t');
      return;
    default:
      out.append("u00");
      out.push_back(digits[c >> 4]);
      out.push_back(digits[c & 15]);
  }
}

}  // namespace

std::size_t append_quoted_cut(std::string& out, std::string_view text, std::size_t budget) {
  out.push_back('"');
  std::size_t i = 0;
  std::size_t room = budget;
  while (i < text.size()) {
    const std::size_t plain = end_of_plain(text, i);
    if (const std::size_t length = std::min(plain - i, room); length > 0) {
      out.append(text, i, length);
      room -= length;
      i += length;
    }
    if (i < plain || i == text.size()) break;
    if (byte_classes[at(text, i)] == byte_class::escaped) {
      const std::size_t before = out.size();
      append_escape(out, at(text, i));
      if (out.size() - before > room) {
        out.resize(before);
        break;
      }
      room -= out.size() - before;
      ++i;
      continue;
    }
    const std::size_t length = text::character_length(text, i);
    const std::string_view character = length > 0 ? text.substr(i, length) : text::replacement;
    if (character.size() > room) break;
    out.append(character);
    room -= character.size();
    i += length > 0 ? length : 1;
  }
  out.push_back('"');
  return i;
}

void append_quoted(std::string& out, std::string_view text) {
  if (end_of_plain(text, 0) == text.size()) {
    out.push_back('"');
    out.append(text);
    out.push_back('"');
    return;
  }
  append_quoted_cut(out, text, std::numeric_limits<std::size_t>::max());
}

std::size_t quoted_size(std::string_view text) {
  std::size_t size = 2;
  for (std::size_t i = 0; i < text.size();) {
    switch (byte_classes[at(text, i)]) {
      case byte_class::plain: {
        const std::size_t plain = end_of_plain(text, i);
        size += plain - i;
        i = plain;
        break;
      }
      case byte_class::escaped: {
        const std::uint8_t c = at(text, i++);
        const bool is_short =
            c >= 0x20 || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t';
        size += is_short ? 2 : 6;
        break;
      }
      case byte_class::beyond: {
        const std::size_t length = text::character_length(text, i);
        size += length > 0 ? length : text::replacement.size();
        i += length > 0 ? length : 1;
      }
    }
  }
  return size;
}

}  // namespace tofud::json
