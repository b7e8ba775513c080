#include "protocol/ui/timestamp.hpp"

#include <array>
#include <cstring>

namespace tofud::ui {
namespace {

using namespace std::chrono;

// Every message has a time and every row one or two: digits are read and written in pairs.
constexpr unsigned no_pair = 100;

// The number in the two digits at `at`, or `no_pair`.
unsigned pair(const char* at) {
  const unsigned tens = static_cast<unsigned char>(at[0]) - unsigned{'0'};
  const unsigned ones = static_cast<unsigned char>(at[1]) - unsigned{'0'};
  return tens > 9 || ones > 9 ? no_pair : tens * 10 + ones;
}

constexpr auto pairs = [] {
  std::array<char, std::size_t{2} * no_pair> all{};
  for (unsigned i = 0; i < all.size(); ++i) {
    all[i] = static_cast<char>('0' + (i % 2 == 0 ? i / 20 : i / 2 % 10));
  }
  return all;
}();

// `value` is less than `no_pair`.
void put_pair(char* at, unsigned value) { std::memcpy(at, &pairs[std::size_t{2} * value], 2); }

std::optional<seconds> parse_offset(std::string_view zone) {
  if (zone == "Z" || zone == "z") return seconds{0};
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return {};
  const unsigned hour = pair(&zone[1]), minute = pair(&zone[4]);
  if (hour > 23 || minute > 59) return {};
  const seconds offset = hours{hour} + minutes{minute};
  return zone[0] == '-' ? -offset : offset;
}

}  // namespace

std::optional<time_point> parse_timestamp(std::string_view text) {
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
      text[16] != ':') {
    return {};
  }
  const unsigned century = pair(&text[0]), of_century = pair(&text[2]);
  const unsigned h = pair(&text[11]), mi = pair(&text[14]), s = pair(&text[17]);
  if (century == no_pair || of_century == no_pair || h > 23 || mi > 59 || s > 60) return {};
  const year_month_day date{year{static_cast<int>(century * 100 + of_century)},
                            month{pair(&text[5])}, day{pair(&text[8])}};
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
  const auto put = [&](std::size_t at, auto value) {
    put_pair(text + at, static_cast<unsigned>(value) % no_pair);
  };
  const auto year = static_cast<unsigned>(static_cast<int>(date.year()));
  const auto fraction = static_cast<unsigned>(clock.subseconds().count());
  put(0, year / 100);
  put(2, year);
  put(5, static_cast<unsigned>(date.month()));
  put(8, static_cast<unsigned>(date.day()));
  put(11, clock.hours().count());
  put(14, clock.minutes().count());
  put(17, clock.seconds().count());
  put(20, fraction / 10000);
  put(22, fraction / 100);
  put(24, fraction);
  out.append(text, sizeof text - 1);
}

}  // namespace tofud::ui
