#include "protocol/text/characters.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace tofud::text {
namespace {

constexpr std::int32_t replacement_point = 0xFFFD;
constexpr std::int32_t del = 0x7F;

// Letters and letter-like numbers; the rest are Unicode's Other_ID_Start.
bool starts_name(std::int32_t point) {
  if (point == 0x2E2F) return false;  // a letter by category, but set aside for syntax
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
      return true;
    default:
      break;
  }
  constexpr std::array<std::int32_t, 6> others{0x1885, 0x1886, 0x2118, 0x212E, 0x309B, 0x309C};
  return std::find(others.begin(), others.end(), point) != others.end();
}

bool continues_name(std::int32_t point) {
  if (starts_name(point) || point == '-') return true;
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      break;
  }
  return point == 0xB7 || point == 0x387 || (point >= 0x1369 && point <= 0x1371) || point == 0x19DA;
}

// Letters, marks, numbers, punctuation, symbols and the blank: what Go prints as it is.
bool is_printable(std::int32_t point) {
  if (point == ' ') return true;
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
      return false;
    default:
      return true;
  }
}

void append_hex(std::string& out, std::uint32_t number, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    out.push_back("0123456789abcdef"[(number >> static_cast<unsigned>(shift)) & 0xFU]);
  }
}

void append_quoted(std::string& out, const character& next) {
  if (!next.valid) {
    out.append("\\x");
    append_hex(out, static_cast<unsigned char>(next.bytes[0]), 2);
    return;
  }
  if (next.point == '"' || next.point == '\\') {
    out.push_back('\\');
    out.append(next.bytes);
    return;
  }
  if (is_printable(next.point)) {
    out.append(next.bytes);
    return;
  }
  constexpr std::string_view escaped = "\a\b\f\n\r\t\v", letters = "abfnrtv";
  const std::size_t known =
      next.point < 0x20 ? escaped.find(static_cast<char>(next.point)) : std::string_view::npos;
  out.push_back('\\');
  if (known != std::string_view::npos) {
    out.push_back(letters[known]);
  } else if (next.point < 0x20 || next.point == del) {
    out.push_back('x');
    append_hex(out, static_cast<std::uint32_t>(next.point), 2);
  } else if (next.point < 0x10000) {
    out.push_back('u');
    append_hex(out, static_cast<std::uint32_t>(next.point), 4);
  } else {
    out.push_back('U');
    append_hex(out, static_cast<std::uint32_t>(next.point), 8);
  }
}

bool has_picture(std::int32_t point) {
  return (point < ' ' && point != '\r' && point != '\n' && point != '\t') || point == del;
}

}  // namespace

character first_character(std::string_view text) {
  character found;
  // ASCII is nearly everything.
  if (static_cast<unsigned char>(text[0]) < 0x80) return {text.substr(0, 1), text[0], true};
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const utf8proc_ssize_t length =
      utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &found.point);
  if (length <= 0) return {text.substr(0, 1), replacement_point, false};
  found.bytes = text.substr(0, static_cast<std::size_t>(length));
  return found;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_character(text).bytes.size());
  return count;
}

bool is_space(std::int32_t point) {
  if (point <= 0xFF) {
    return (point >= '\t' && point <= '\r') || point == ' ' || point == 0x85 || point == 0xA0;
  }
  return point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

std::string_view trim(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const character next = first_character(text.substr(begin));
    if (!next.valid || !is_space(next.point)) break;
    begin += next.bytes.size();
  }
  std::size_t end = begin;
  for (std::size_t at = begin; at < text.size();) {
    const character next = first_character(text.substr(at));
    at += next.bytes.size();
    if (!next.valid || !is_space(next.point)) end = at;
  }
  return text.substr(begin, end - begin);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const character next = first_character(text);
    append_quoted(out, next);
    text.remove_prefix(next.bytes.size());
  }
  out.push_back('"');
  return out;
}

bool is_identifier(std::string_view name) {
  for (std::size_t at = 0; at < name.size();) {
    const character next = first_character(name.substr(at));
    if (!next.valid) return false;
    const bool fits =
        at == 0 ? starts_name(next.point) || next.point == '_' : continues_name(next.point);
    if (!fits) return false;
    at += next.bytes.size();
  }
  return !name.empty();
}

std::string control_pictures(std::string_view text) {
  const auto needs_one = [](char c) { return has_picture(static_cast<unsigned char>(c)); };
  if (std::none_of(text.begin(), text.end(), needs_one)) return std::string{text};
  std::string out;
  out.reserve(text.size() + 16);
  while (!text.empty()) {
    const character next = first_character(text);
    if (!next.valid)
      append_utf8(out, replacement_point);
    else if (next.point == del)
      append_utf8(out, 0x2421);
    else if (has_picture(next.point))
      append_utf8(out, 0x2400 + next.point);
    else
      out.append(next.bytes);
    text.remove_prefix(next.bytes.size());
  }
  return out;
}

void append_utf8(std::string& out, std::int32_t point) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const utf8proc_ssize_t length = utf8proc_encode_char(point, bytes.data());
  out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(length));
}

}  // namespace tofud::text
