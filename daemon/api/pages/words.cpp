#include "daemon/api/pages/words.hpp"

#include <algorithm>
#include <array>

namespace tofud::pages {
namespace {

using namespace std::chrono;

constexpr std::int64_t hour = 3600;

}  // namespace

std::string age_text(microseconds age) {
  const auto s = duration_cast<seconds>(age).count();
  if (s < 60) return std::to_string(std::max<std::int64_t>(s, 0)) + " s";
  if (s < 3600) return std::to_string(s / 60) + " min";
  if (s < 48 * hour) return std::to_string(s / hour) + " h";
  return std::to_string(s / (24 * hour)) + " d";
}

std::string_view sign_of(feed::run_status status) {
  constexpr std::array<std::string_view, feed::run_statuses> signs{"▶", "✓", "✗", "!", "?"};
  return signs[static_cast<std::size_t>(status)];
}

std::string counted(std::size_t count, std::string_view one, std::string_view more) {
  return std::to_string(count) + " " + std::string{count == 1 ? one : more};
}

std::string changes_text(const std::optional<feed::change_counts>& counts) {
  if (!counts) return "";
  std::string text;
  // What there is none of is not worth a word.
  const auto add = [&text](std::string_view between, const std::string& said) {
    text.append(text.empty() ? std::string_view{} : between).append(said);
  };
  if (counts->add > 0) add(" ", "+" + std::to_string(counts->add));
  if (counts->change > 0) add(" ", "~" + std::to_string(counts->change));
  if (counts->remove > 0) add(" ", "-" + std::to_string(counts->remove));
  if (counts->import > 0) add(", ", std::to_string(counts->import) + " imported");
  if (counts->forget > 0) add(", ", std::to_string(counts->forget) + " forgotten");
  return text;
}

std::string time_text(ui::time_point time, time_detail detail) {
  std::string text;
  ui::append_timestamp(text, time);
  return text.substr(0, 10) + " " + text.substr(11, detail == time_detail::seconds ? 8 : 5) +
         " UTC";
}

}  // namespace tofud::pages
