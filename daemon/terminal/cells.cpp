#include "daemon/terminal/cells.hpp"

#include <utf8proc.h>

#include <vector>

namespace tofud::terminal {
namespace {

struct character {
  std::size_t begin, end;  // bytes
  std::size_t width;       // cells
};

/// The character at `at`; combining characters that follow are its own.
character one(std::string_view text, std::size_t at) {
  const auto width_of = [&](std::size_t from, std::size_t& length) -> std::size_t {
    utf8proc_int32_t point = 0;
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data() + from);
    const auto left = static_cast<utf8proc_ssize_t>(text.size() - from);
    const utf8proc_ssize_t taken = utf8proc_iterate(bytes, left, &point);
    length = taken > 0 ? static_cast<std::size_t>(taken) : 1;
    if (taken <= 0) return 1;
    const int width = utf8proc_charwidth(point);
    return width > 0 ? static_cast<std::size_t>(width) : 0;
  };
  std::size_t length = 0;
  character found{at, at, width_of(at, length)};
  found.end = at + length;
  while (found.end < text.size() && width_of(found.end, length) == 0) {
    // Asks for the emoji form of what stands before it, which is wide; terminals that don't know
    // it take less room, and that does no harm.
    if (text.substr(found.end, length) == "\xEF\xB8\x8F") found.width = 2;
    found.end += length;
  }
  return found;
}

std::vector<character> characters(std::string_view text) {
  std::vector<character> all;
  for (std::size_t at = 0; at < text.size(); at = all.back().end) all.push_back(one(text, at));
  return all;
}

}  // namespace

std::size_t cells(std::string_view text) {
  std::size_t sum = 0;
  const auto is_plain = [&](std::size_t at) { return text[at] >= 0x20 && text[at] < 0x7f; };
  for (std::size_t at = 0; at < text.size();) {
    // Nothing combines with what is ASCII, too.
    if (is_plain(at) && (at + 1 == text.size() || is_plain(at + 1))) {
      ++sum;
      ++at;
      continue;
    }
    const character next = one(text, at);
    sum += next.width;
    at = next.end;
  }
  return sum;
}

std::string cut_end(std::string_view text, std::size_t width, std::string_view mark) {
  if (cells(text) <= width) return std::string{text};
  const std::size_t marked = cells(mark);
  if (marked > width) return std::string(width, '.');
  std::size_t used = 0;
  std::size_t end = 0;
  for (const character& each : characters(text)) {
    if (used + each.width > width - marked) break;
    used += each.width;
    end = each.end;
  }
  return std::string{text.substr(0, end)} + std::string{mark};
}

std::string cut_middle(std::string_view text, std::size_t width, std::string_view mark) {
  if (cells(text) <= width) return std::string{text};
  const std::size_t marked = cells(mark);
  if (marked > width) return std::string(width, '.');
  const std::vector<character> all = characters(text);
  const std::size_t room = width - marked;
  std::size_t head = 0;
  std::size_t used = 0;
  while (head < all.size() && used + all[head].width <= room - room / 2) used += all[head++].width;
  std::size_t tail = all.size();
  while (tail > head && used + all[tail - 1].width <= room) used += all[--tail].width;
  std::string cut{text.substr(0, head == 0 ? 0 : all[head - 1].end)};
  cut += mark;
  if (tail < all.size()) cut += text.substr(all[tail].begin);
  return cut;
}

}  // namespace tofud::terminal
