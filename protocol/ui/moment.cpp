#include "protocol/ui/moment.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>

namespace tofud::ui {
namespace {

/// Of a message, also one that some other program has written again with blanks in it; nothing: it
/// has none, or is no message.
std::optional<time_point> stamp_of(std::string_view line) {
  constexpr std::string_view member = R"("@timestamp")";
  if (!line.starts_with('{')) return std::nullopt;
  // Each name and each value begins with a quotation mark, at which find() would stop.
  const void* at = ::memmem(line.data(), line.size(), member.data(), member.size());
  if (at == nullptr) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(at) - line.data()) +
                     member.size());
  const std::size_t begin = line.find_first_not_of(" :\t");
  if (begin == std::string_view::npos || line[begin] != '"') return std::nullopt;
  line.remove_prefix(begin + 1);
  const auto read = parse_timestamp(line.substr(0, line.find('"')));
  if (!read) return std::nullopt;
  return *read;
}

}  // namespace

std::optional<moment> parse_moment(std::string_view text) {
  double seconds = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (wrong == std::errc{} && end == text.data() + text.size()) {
    if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e9) return std::nullopt;
    return seconds;
  }
  const auto time = parse_timestamp(text);
  if (!time) return std::nullopt;
  return *time;
}

stream_prefix prefix_at(std::string_view stream, const moment& when) {
  stream_prefix found;
  if (const auto* time = std::get_if<time_point>(&when)) found.at = *time;
  while (found.bytes < stream.size()) {
    const std::size_t end = stream.find('\n', found.bytes);
    const std::size_t next = end == std::string_view::npos ? stream.size() : end + 1;
    if (const auto stamp = stamp_of(stream.substr(found.bytes, next - found.bytes))) {
      if (!found.at)
        found.at = *stamp + std::chrono::duration_cast<std::chrono::microseconds>(
                                std::chrono::duration<double>{std::get<double>(when)});
      if (*stamp > *found.at) return found;
    }
    found.bytes = next;
  }
  return found;
}

}  // namespace tofud::ui
