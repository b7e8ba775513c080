#include "protocol/redact/decoded.hpp"

#include <algorithm>
#include <iterator>

namespace tofud::redact {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::uint32_t> hex(std::string_view text, std::size_t at, std::size_t digits) {
  if (at > text.size() || text.size() - at < digits) return {};
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const int value = digit(text[at + i]);
    if (value < 0) return {};
    number = number * 16 + static_cast<std::uint32_t>(value);
  }
  return number;
}

void append_utf8(std::string& out, std::uint32_t point) {
  const auto push = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (point < 0x80) {
    push(point);
  } else if (point < 0x800) {
    push(0xC0 | point >> 6);
    push(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    push(0xE0 | point >> 12);
    push(0x80 | (point >> 6 & 0x3F));
    push(0x80 | (point & 0x3F));
  } else {
    push(0xF0 | point >> 18);
    push(0x80 | (point >> 12 & 0x3F));
    push(0x80 | (point >> 6 & 0x3F));
    push(0x80 | (point & 0x3F));
  }
}

// Appends what the escape at `at` stands for; returns its length, 0 if it is none.
std::size_t append_escape(std::string& out, std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return 0;
  if (const auto meant = letter_escape(text.substr(at + 1))) {
    out.push_back(*meant);
    return 2;
  }
  const char letter = text[at + 1];
  if (letter == 'x') {
    const auto byte = hex(text, at + 2, 2);
    if (!byte) return 0;
    out.push_back(static_cast<char>(*byte));
    return 4;
  }
  if (letter == 'U') {
    const auto point = hex(text, at + 2, 8);
    if (!point || *point > 0x10FFFF) return 0;
    append_utf8(out, *point);
    return 10;
  }
  if (letter != 'u') return 0;
  const auto point = hex(text, at + 2, 4);
  if (!point) return 0;
  if (*point >= 0xD800 && *point < 0xDC00 && text.substr(at + 6, 2) == "\\u") {
    const auto low = hex(text, at + 8, 4);
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      append_utf8(out, 0x10000 + ((*point - 0xD800) << 10) + (*low - 0xDC00));
      return 12;
    }
  }
  append_utf8(out, *point);
  return 6;
}

std::size_t append_percent(std::string& out, std::string_view text, std::size_t at) {
  const auto byte = hex(text, at + 1, 2);
  if (!byte) return 0;
  out.push_back(static_cast<char>(*byte));
  return 3;
}

template <typename Append>
void decode(std::string_view text, char sign, Append&& append, std::string& out,
            std::vector<escape>* escapes) {
  out.clear();
  if (escapes != nullptr) escapes->clear();
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t next = std::min(text.find(sign, at), text.size());
    out.append(text, at, next - at);
    at = next;
    if (at == text.size()) break;
    const std::size_t before = out.size();
    const std::size_t length = append(out, text, at);
    if (length == 0) {
      out.push_back(sign);
      ++at;
      continue;
    }
    if (escapes != nullptr) {
      escapes->push_back({static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(at),
                          static_cast<std::uint8_t>(out.size() - before),
                          static_cast<std::uint8_t>(length)});
    }
    at += length;
  }
}

}  // namespace

std::size_t decoded::source_begin(std::size_t begin) const {
  const auto after =
      std::upper_bound(escapes.begin(), escapes.end(), begin,
                       [](std::size_t place, const escape& each) { return place < each.begin; });
  if (after == escapes.begin()) return begin;
  const escape& before = *std::prev(after);
  if (begin < before.begin + before.size) return before.source_begin;
  return before.source_begin + before.source_size + (begin - before.begin - before.size);
}

std::size_t decoded::source_end(std::size_t end) const {
  const auto after =
      std::lower_bound(escapes.begin(), escapes.end(), end,
                       [](const escape& each, std::size_t place) { return each.begin < place; });
  if (after == escapes.begin()) return end;
  const escape& before = *std::prev(after);
  const std::size_t source = before.source_begin + before.source_size;
  const std::size_t reached = before.begin + before.size;
  return end <= reached ? source : source + (end - reached);
}

std::optional<char> letter_escape(std::string_view text) {
  constexpr std::string_view letters = R"("nrtbfav\/')";
  constexpr std::string_view meanings = "\"\n\r\t\b\f\a\v\\/'";
  const std::size_t i = text.empty() ? letters.npos : letters.find(text.front());
  if (i == letters.npos) return {};
  return meanings[i];
}

void decoded::release() {
  text = {};
  escapes = {};
}

void unescape(std::string_view text, std::string& out, std::vector<escape>* escapes) {
  decode(text, '\\', append_escape, out, escapes);
}

void unpercent(std::string_view text, std::string& out, std::vector<escape>* escapes) {
  decode(text, '%', append_percent, out, escapes);
}

}  // namespace tofud::redact
