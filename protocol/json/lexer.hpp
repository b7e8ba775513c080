// The tokens of a JSON text (RFC 8259): strings, numbers and what stands between them.
#pragma once

#include "protocol/json/plain_text.hpp"
#include "protocol/text/characters.hpp"
#include "protocol/text/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::json {

/// Each function takes where its token begins and says where it ends; nullptr: it is none, and
/// `failed` says where it stopped being one.
class lexer {
 public:
  lexer() = default;
  explicit lexer(std::string_view text) : end_{text.data() + text.size()}, failed_{text.data()} {}

  /// At the end of the text one that stands nowhere in JSON.
  char byte_at(const char* at) const { return at != end_ ? *at : '\0'; }

  const char* behind_blanks(const char* at) const {
    if (byte_at(at) > ' ') [[likely]]
      return at;
    return behind_these_blanks(at);
  }

  /// From behind a quote: where what stands there as it is ends.
  const char* behind_plain(const char* at) const { return end_of_plain(at, end_); }

  /// From behind a quote that was at `first`, with nothing to look at before `at`. The characters
  /// are a view into the text, or into `room` if some were escaped.
  const char* string(const char* first, const char* at, std::string_view& characters,
                     std::string& room) {
    bool escaped = false;
    const char* plain = first;
    room.clear();
    for (; byte_at(at) != '"'; at = end_of_plain(at, end_)) {
      if (at == end_) return fail(at);
      if (*at == '\\') {
        escaped = true;
        room.append(plain, at);
        plain = at = escape(at + 1, room);
        if (at == nullptr) return nullptr;
      } else {
        const std::string_view rest{at, static_cast<std::size_t>(end_ - at)};
        const bool beyond = byte_classes[static_cast<std::uint8_t>(*at)] == byte_class::beyond;
        const std::size_t length = beyond ? text::character_length(rest, 0) : 0;
        if (length == 0) return fail(at);
        at += length;
      }
    }
    if (escaped)
      characters = room.append(plain, at);
    else
      characters = {first, static_cast<std::size_t>(at - first)};
    return at + 1;
  }

  const char* number(const char* at) {
    if (byte_at(at) == '-') ++at;
    at = byte_at(at) == '0' ? at + 1 : digits(at);
    if (at != nullptr && byte_at(at) == '.') at = digits(at + 1);
    if (at != nullptr && (byte_at(at) == 'e' || byte_at(at) == 'E')) {
      ++at;
      if (byte_at(at) == '+' || byte_at(at) == '-') ++at;
      at = digits(at);
    }
    return at;
  }

  const char* word(const char* at, std::string_view expected) {
    const std::string_view rest{at, static_cast<std::size_t>(end_ - at)};
    return rest.starts_with(expected) ? at + expected.size() : fail(at);
  }

  const char* fail(const char* at) {
    failed_ = at;
    return nullptr;
  }
  const char* failed() const { return failed_; }
  bool at_end(const char* at) const { return at == end_; }

 private:
  const char* digits(const char* at) {
    if (byte_at(at) < '0' || byte_at(at) > '9') return fail(at);
    while (byte_at(at) >= '0' && byte_at(at) <= '9') ++at;
    return at;
  }

  [[gnu::noinline]] const char* behind_these_blanks(const char* at) const {
    while (at != end_ && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) ++at;
    return at;
  }

  /// Behind a backslash.
  const char* escape(const char* at, std::string& out) {
    switch (byte_at(at)) {
      case '"':
      case '\\':
      case '/':
        out.push_back(*at);
        return at + 1;
      case 'b':
        out.push_back('\b');
        return at + 1;
      case 'f':
        out.push_back('\f');
        return at + 1;
      case 'n':
        out.push_back('\n');
        return at + 1;
      case 'r':
        out.push_back('\r');
        return at + 1;
      case 't':
        out.push_back('\t');
        return at + 1;
      case 'u':
        return character(at + 1, out);
      default:
        return fail(at);
    }
  }

  /// Behind `\u`. A character beyond U+FFFF is written as two: a surrogate pair.
  const char* character(const char* at, std::string& out) {
    std::uint32_t code = 0;
    at = four_digits(at, code);
    if (at == nullptr) return nullptr;
    if (code >= 0xDC00 && code < 0xE000) return fail(at);
    if (code >= 0xD800 && code < 0xDC00) {
      std::uint32_t low = 0;
      if (byte_at(at) != '\\' || byte_at(at + 1) != 'u') return fail(at);
      at = four_digits(at + 2, low);
      if (at == nullptr) return nullptr;
      if (low < 0xDC00 || low >= 0xE000) return fail(at);
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    }
    text::append_utf8(out, static_cast<std::int32_t>(code));
    return at;
  }

  const char* four_digits(const char* at, std::uint32_t& code) {
    for (int i = 0; i < 4; ++i, ++at) {
      const char c = byte_at(at);
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return fail(at);
      code = code << 4U | static_cast<std::uint32_t>(digit);
    }
    return at;
  }

  const char* end_ = nullptr;
  const char* failed_ = nullptr;
};

}  // namespace tofud::json
