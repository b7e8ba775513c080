#include "protocol/ui/timestamp.hpp"

namespace tofud::ui {
namespace {

using namespace std::chrono;

// The number in the `count` digits at `i`, or -1.
int digits(std::string_view text, std::size_t i, std::size_t count) {
  if (i + count > text.size()) return -1;
  int value = 0;
  for (std::size_t k = i; k < i + count; ++k) {
    if (text[k] < '0' || text[k] > '9') return -1;
    value = value * 10 + (text[k] - '0');
  }
  return value;
}

std::optional<seconds> parse_offset(std::string_view zone) {
  if (zone == "Z" || zone == "z") return seconds{0};
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return {};
  const int hour = digits(zone, 1, 2);
  const int minute = digits(zone, 4, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return {};
  const seconds offset = hours{hour} + minutes{minute};
  return zone[0] == '-' ? -offset : offset;
}

void put_digits(char* at, unsigned value, std::size_t count) {
  for (; count > 0; value /= 10) at[--count] = static_cast<char>('0' + value % 10);
}

}  // namespace

std::optional<time_point> parse_timestamp(std::string_view text) {
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
      text[16] != ':') {
    return {};
  }
  const int y = digits(text, 0, 4), mo = digits(text, 5, 2), d = digits(text, 8, 2);
  const int h = digits(text, 11, 2), mi = digits(text, 14, 2), s = digits(text, 17, 2);
  if (y < 0 || mo < 0 || d < 0 || h < 0 || h > 23 || mi < 0 || mi > 59 || s < 0 || s > 60)
    return {};
  const year_month_day date{year{y}, month{static_cast<unsigned>(mo)},
                            day{static_cast<unsigned>(d)}};
  if (!date.ok()) return {};
  std::size_t i = 19;
  int fraction = 0;
  if (text[i] == '.') {
    std::size_t count = 0;
    for (++i; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i, ++count) {
      if (count < 6) fraction = fraction * 10 + (text[i] - '0');
    }
    if (count == 0 || count > 9) return {};
    for (; count < 6; ++count) fraction *= 10;
  }
  const auto offset = parse_offset(text.substr(i));
  if (!offset) return {};
  return sys_days{date} + hours{h} + minutes{mi} + seconds{s} + microseconds{fraction} - *offset;
}

void append_timestamp(std::string& out, time_point time) {
  const auto day_start = floor<days>(time);
  const year_month_day date{day_start};
  const hh_mm_ss clock{time - day_start};
  char text[] = "0000-00-00T00:00:00.000000Z";
  const auto put = [&](std::size_t at, auto value, std::size_t count) {
    put_digits(text + at, static_cast<unsigned>(value), count);
  };
  put(0, static_cast<int>(date.year()), 4);
  put(5, static_cast<unsigned>(date.month()), 2);
  put(8, static_cast<unsigned>(date.day()), 2);
  put(11, clock.hours().count(), 2);
  put(14, clock.minutes().count(), 2);
  put(17, clock.seconds().count(), 2);
  put(20, clock.subseconds().count(), 6);
  out.append(text, sizeof text - 1);
}

}  // namespace tofud::ui
