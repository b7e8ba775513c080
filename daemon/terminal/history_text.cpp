#include "daemon/terminal/history_text.hpp"

#include "daemon/terminal/cells.hpp"
#include "daemon/terminal/run_table.hpp"
#include "protocol/text/duration.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tofud::terminal {
namespace {

using system_time = std::chrono::system_clock::time_point;
using history::entry;

std::string times_text(std::uint64_t count) {
  return count == 1 ? "once" : std::to_string(count) + " times";
}

std::string failures_text(const entry& of) {
  const std::size_t failed = of.failed_of_newest();
  if (failed == 0) return "";
  if (of.newest_looked_at() == 1) return "failed";
  return "failed " + std::to_string(failed) + " of the last " +
         std::to_string(of.newest_looked_at());
}

std::string ago(ui::time_point at, system_time now) { return age_text(now - system_time{at}); }

std::string short_provider(const entry& of) {
  const std::size_t host = of.provider.find('/');
  return (host == std::string::npos ? of.provider : of.provider.substr(host + 1)) + " " +
         of.provider_version;
}

std::string usual_text(const entry& of) {
  if (of.count == of.failed) return "never done";
  const std::uint64_t done = of.count - of.failed;
  if (done == 1) return "took " + seconds_text(of.p50);
  return "usually " + seconds_text(of.p50) + ", 4 of 5 within " + seconds_text(of.p80);
}

std::string action_line(const entry& of, system_time now, const style& look) {
  std::string line = "  " + one_line(of.action);
  line.append(line.size() < 10 ? 10 - line.size() : 1, ' ');
  line += times_text(of.count) + ": " + usual_text(of);
  if (!of.newest.empty()) {
    const auto& last = of.newest.front();
    line +=
        std::string{look.dot()} + "last " + one_line(last.status) + " " + ago(last.started_at, now);
  }
  const std::string failures = failures_text(of);
  if (!failures.empty() && of.newest_looked_at() > 1)
    line += std::string{look.dot()} + look.paint(hue::yellow, failures);
  return line;
}

std::string changed_line(const entry& of, system_time now) {
  const history::changed_by& by = *of.changed;
  std::string line = "  last changed " + ago(by.at, now) + " (" + one_line(by.action) +
                     ") by run " + one_line(by.run);
  std::string claims;
  if (!by.commit.empty()) claims += "commit " + one_line(by.commit);
  if (!by.actor.empty()) claims += (claims.empty() ? "" : ", ") + ("actor " + one_line(by.actor));
  return claims.empty() ? line : line + ", which claimed " + claims;
}

template <std::size_t Columns>
using row_of = std::array<std::string, Columns>;

/// Columns beside each other; the first gives way.
template <std::size_t Columns>
void add_table(std::vector<std::string>& lines, const std::vector<row_of<Columns>>& rows,
               std::size_t width, const style& look) {
  std::array<std::size_t, Columns> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < Columns; ++i) widths[i] = std::max(widths[i], cells(row[i]));
  }
  std::size_t others = 0;
  for (std::size_t i = 1; i < Columns; ++i) others += widths[i] == 0 ? 0 : widths[i] + 2;
  constexpr std::size_t least = 12;
  if (width > 0 && widths[0] + others > width)
    widths[0] = std::max(least, width > others ? width - others : 0);
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < Columns; ++i) {
      if (widths[i] == 0) continue;
      const std::string text = i == 0 ? cut_middle(row[i], widths[i], look.cut()) : row[i];
      if (!line.empty()) line += "  ";
      line += text;
      if (i + 1 < Columns) line.append(widths[i] - std::min(widths[i], cells(text)), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (width > 0 && cells(line) > width) line = cut_end(line, width, look.cut());
    lines.push_back(&row == &rows.front() ? look.paint(hue::dim, line) : line);
  }
}

void add_slowest(std::vector<std::string>& lines, const std::vector<history::slow_entry>& slowest,
                 const std::string& title, std::size_t width, const style& look) {
  if (slowest.empty()) return;
  if (!lines.empty()) lines.emplace_back();
  std::vector<row_of<4>> rows{{title, "TIMES", "USUALLY", "4 OF 5 WITHIN"}};
  for (const auto& each : slowest) {
    const std::string action = each.action == "refresh" ? "" : " " + each.action;
    rows.push_back({in_charset(one_line(each.name) + action, look.set), std::to_string(each.count),
                    seconds_text(each.p50), seconds_text(each.p80)});
  }
  add_table(lines, rows, width, look);
}

}  // namespace

std::string seconds_text(double seconds) {
  return text::duration(std::chrono::microseconds{static_cast<std::int64_t>(seconds * 1e6)});
}

std::vector<std::string> address_history(const history::report& of, system_time now,
                                         const style& look) {
  std::vector<std::string> lines;
  const std::string* stack = nullptr;
  for (auto each = of.entries.begin(); each != of.entries.end(); ++each) {
    if (stack == nullptr || *stack != each->stack) {
      if (stack != nullptr) lines.emplace_back();
      std::string head = in_charset(one_line(each->addr), look.set);
      if (!each->stack.empty())
        head += "  " + look.paint(hue::dim, in_charset(one_line(each->stack), look.set));
      lines.push_back(std::move(head));
      stack = &each->stack;
    }
    lines.push_back(action_line(*each, now, look));
    const auto next = std::next(each);
    if (next != of.entries.end() && next->stack == each->stack) continue;
    ui::time_point first = each->first_at;
    for (const entry& other : of.entries) {
      if (other.stack == each->stack) first = std::min(first, other.first_at);
    }
    lines.push_back("  first seen " + ago(first, now));
    if (each->changed) lines.push_back(changed_line(*each, now));
    if (!each->provider.empty()) lines.push_back("  provider " + one_line(short_provider(*each)));
  }
  return lines;
}

std::vector<std::string> score_table(const std::vector<history::estimate_score>& of,
                                     std::size_t width, const style& look) {
  const auto percent = [](double part) {
    return std::to_string(static_cast<long>(std::lround(part * 100))) + " %";
  };
  std::vector<row_of<5>> rows{
      {"ESTIMATED AT", "RUNS", "OFF BY", "OVER BY THE FIRST TIME", "OVER BY THE SECOND"}};
  for (const history::estimate_score& each : of) {
    rows.push_back({std::to_string(each.at) + " %", std::to_string(each.runs), percent(each.error),
                    percent(each.p50_held), percent(each.p80_held)});
  }
  std::vector<std::string> lines;
  add_table(lines, rows, width, look);
  return lines;
}

std::vector<std::string> history_table(const history::report& of, system_time now, std::size_t most,
                                       std::size_t width, const style& look) {
  std::vector<row_of<7>> rows{
      {"ADDRESS", "ACTION", "TIMES", "USUALLY", "4 OF 5 WITHIN", "LAST", "FAILED"}};
  for (const entry& each : of.entries) {
    if (each.action == "refresh") continue;
    if (rows.size() > most) break;
    const bool done = each.count > each.failed;
    const std::size_t failed = each.failed_of_newest();
    rows.push_back({in_charset(one_line(each.addr), look.set), one_line(each.action),
                    std::to_string(each.count), done ? seconds_text(each.p50) : "",
                    done ? seconds_text(each.p80) : "", ago(each.newest.front().started_at, now),
                    failed == 0 ? ""
                                : std::to_string(failed) + " of the last " +
                                      std::to_string(each.newest_looked_at())});
  }
  std::vector<std::string> lines;
  if (rows.size() > 1) add_table(lines, rows, width, look);
  add_slowest(lines, of.types, "SLOWEST TYPES", width, look);
  add_slowest(lines, of.refreshes, "SLOWEST REFRESHES", width, look);
  return lines;
}

}  // namespace tofud::terminal
