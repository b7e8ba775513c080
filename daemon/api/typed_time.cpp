#include "daemon/api/typed_time.hpp"

#include "protocol/text/whole_number.hpp"

#include <cstdint>
#include <string>

namespace tofud {
namespace {

std::optional<std::chrono::minutes> unit(char sign) {
  using namespace std::chrono_literals;
  switch (sign) {
    case 'm':
      return 1min;
    case 'h':
      return 1h;
    case 'd':
      return 24h;
    case 'w':
      return 7 * 24h;
    default:
      return std::nullopt;
  }
}

std::optional<ui::time_point> ago(std::string_view text, ui::time_point now) {
  if (text.empty()) return std::nullopt;
  const auto each = unit(text.back());
  const auto count = text::parse_whole_number<std::uint32_t>(text.substr(0, text.size() - 1));
  if (!each || !count) return std::nullopt;
  if (*count > now.time_since_epoch() / *each) return std::nullopt;
  return now - *each * std::int64_t{*count};
}

}  // namespace

std::optional<ui::time_point> parse_typed_time(std::string_view text, day_edge edge,
                                               ui::time_point now) {
  if (const auto exact = ui::parse_timestamp(text)) return exact;
  const std::string typed{text};
  constexpr std::size_t date = std::string_view{"2026-11-21"}.size();
  if (typed.size() == date) {
    const auto day = ui::parse_timestamp(typed + "T00:00:00Z");
    if (day && edge == day_edge::end) return *day + std::chrono::days{1};
    if (day) return day;
  }
  if (typed.size() > date && (typed[date] == ' ' || typed[date] == 'T')) {
    const std::string clock = typed.substr(date + 1);
    for (const char* const rest : {":00Z", "Z"}) {
      if (const auto at = ui::parse_timestamp(typed.substr(0, date) + "T" + clock + rest))
        return at;
    }
  }
  return ago(text, now);
}

bool to_timestamp(std::string& text, day_edge edge, ui::time_point now) {
  if (ui::parse_timestamp(text)) return true;
  const auto at = parse_typed_time(text, edge, now);
  if (!at) return false;
  text.clear();
  ui::append_timestamp(text, *at);
  return true;
}

}  // namespace tofud
