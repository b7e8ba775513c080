#include "protocol/text/word_wrap.hpp"

#include "protocol/text/characters.hpp"

namespace tofud::text {
namespace {

constexpr std::int32_t no_break_space = 0xA0;

// A run of characters of one sort, and how many they are.
struct run {
  std::string_view bytes;
  std::size_t length = 0;

  bool empty() const { return bytes.empty(); }
};

run take(std::string_view& rest, bool blank) {
  const std::string_view all = rest;
  run found;
  while (!rest.empty()) {
    const character next = first_character(rest);
    if ((is_space(next.point) && next.point != no_break_space) != blank) break;
    rest.remove_prefix(next.bytes.size());
    ++found.length;
  }
  found.bytes = all.substr(0, all.size() - rest.size());
  return found;
}

}  // namespace

std::string wrap_words(std::string_view line, std::size_t width) {
  std::string out;
  out.reserve(line.size() + line.size() / width + 1);
  std::size_t column = 0;
  while (!line.empty()) {
    const run blank = take(line, true);
    const run word = take(line, false);
    if (word.empty()) {
      if (column + blank.length <= width) out.append(blank.bytes);
      break;
    }
    // A word is moved to the next line once it is found to be too long for this one, which can
    // only happen while what was seen of it is shorter than a line.
    const std::size_t room = width > column + blank.length ? width - column - blank.length : 0;
    const bool breaks = word.length > room && room + 1 < width;
    if (breaks) {
      out.push_back('\n');
      column = 0;
    } else {
      out.append(blank.bytes);
      column += blank.length;
    }
    out.append(word.bytes);
    column += word.length;
  }
  return out;
}

}  // namespace tofud::text
