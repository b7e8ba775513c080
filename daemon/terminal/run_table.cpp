#include "daemon/terminal/run_table.hpp"

#include "daemon/terminal/cells.hpp"
#include "protocol/text/duration.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <array>

namespace tofud::terminal {
namespace {

enum column : std::uint8_t { id, when, command, stack, status, done, failed, took };
constexpr std::size_t columns = 8;
constexpr std::array<std::string_view, columns> titles{"RUN",    "WHEN", "COMMAND", "STACK",
                                                       "STATUS", "DONE", "FAILED",  "TOOK"};
constexpr std::string_view gap = "  ";

/// A stack cut further than this says nothing.
constexpr std::size_t least_stack = 12;

// What goes first when there is no room: the least telling.
constexpr std::array<column, columns - 2> expendable{took, failed, when, done, stack, command};

using cells_of_run = std::array<std::string, columns>;

std::string size_text(std::uint64_t bytes) {
  return std::to_string((bytes + limits::mib - 1) / limits::mib) + " MiB";
}

std::string done_text(const feed::run_view& run) {
  if (run.tests) {
    const auto all =
        run.tests->passed + run.tests->failed + run.tests->errored + run.tests->skipped;
    return std::to_string(run.tests->passed) + "/" + std::to_string(all);
  }
  return feed::progress_text(run);
}

std::string failed_text(const feed::run_view& run) {
  const auto count = run.tests
                         ? static_cast<std::uint64_t>(run.tests->failed + run.tests->errored)
                         : run.counts[static_cast<std::size_t>(feed::resource_status::failed)];
  return count == 0 ? "" : std::to_string(count);
}

cells_of_run cells_of(const listed_run& listed, std::chrono::system_clock::time_point now,
                      charset set) {
  cells_of_run text;
  const feed::run_view& run = listed.run;
  text[id] = one_line(run.id);
  text[when] = age_text(now - listed.began);
  if (!listed.read) {
    text[status] = "not read (" + size_text(listed.bytes) + ")";
    return text;
  }
  text[command] = feed::name(run.command);
  text[stack] = in_charset(one_line(run.stack), set);
  text[status] = feed::name(run.status);
  text[done] = done_text(run);
  text[failed] = failed_text(run);
  // When a lost run ended, nobody knows; one that goes on has taken until now.
  const auto end = run.status == feed::run_status::lost ? std::nullopt
                   : run.ended_at
                       ? run.ended_at
                       : std::optional{std::chrono::floor<std::chrono::microseconds>(now)};
  if (run.started_at && end)
    text[took] = text::duration(std::max(*end - *run.started_at, std::chrono::microseconds{0}));
  return text;
}

hue hue_of(const listed_run& listed) {
  if (!listed.read) return hue::none;
  switch (listed.run.status) {
    case feed::run_status::running:
      return hue::cyan;
    case feed::run_status::succeeded:
      return hue::green;
    case feed::run_status::failed:
      return hue::red;
    case feed::run_status::interrupted:
    case feed::run_status::lost:
    case feed::run_status::unknown:
      return hue::yellow;
  }
  return hue::none;
}

struct layout {
  std::array<std::size_t, columns> widths{};
  std::array<bool, columns> shown{};

  std::size_t total() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      if (shown[i]) sum += widths[i] + (sum == 0 ? 0 : gap.size());
    }
    return sum;
  }
};

layout fit(const std::vector<cells_of_run>& rows, std::size_t width) {
  layout made;
  for (std::size_t i = 0; i < columns; ++i) {
    for (const cells_of_run& row : rows) made.widths[i] = std::max(made.widths[i], cells(row[i]));
    // A column that nobody fills is no column.
    made.shown[i] = made.widths[i] > 0;
    made.widths[i] = std::max(made.widths[i], titles[i].size());
  }
  if (width == 0) return made;
  for (const column least : expendable) {
    const std::size_t total = made.total();
    if (total <= width) break;
    const std::size_t over = total - width;
    if (made.shown[stack] && made.widths[stack] >= over + least_stack) {
      made.widths[stack] -= over;
      break;
    }
    made.shown[least] = false;
  }
  return made;
}

std::string line_of(const cells_of_run& row, const layout& made, hue colour, const style& look) {
  std::string line;
  std::size_t blanks = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    if (!made.shown[i]) continue;
    if (i > 0) blanks += gap.size();
    const std::string text = i == stack ? cut_middle(row[i], made.widths[i], look.cut()) : row[i];
    const std::size_t taken = cells(text);
    const bool right = i == done || i == failed || i == took;
    if (!text.empty()) {
      line.append(blanks + (right ? made.widths[i] - taken : 0), ' ');
      blanks = right ? 0 : made.widths[i] - taken;
      line.append(i == status ? look.paint(colour, text) : text);
    } else {
      blanks += made.widths[i];
    }
  }
  return line;
}

}  // namespace

std::string age_text(std::chrono::system_clock::duration age) {
  using namespace std::chrono;
  if (age < minutes{1}) return "just now";
  if (age < hours{1}) return std::to_string(duration_cast<minutes>(age).count()) + "m ago";
  if (age < days{2}) return std::to_string(duration_cast<hours>(age).count()) + "h ago";
  return std::to_string(duration_cast<days>(age).count()) + "d ago";
}

std::vector<std::string> run_table(const std::vector<listed_run>& runs,
                                   std::chrono::system_clock::time_point now, std::size_t width,
                                   const style& look) {
  std::vector<cells_of_run> rows;
  rows.reserve(runs.size());
  for (const listed_run& each : runs) rows.push_back(cells_of(each, now, look.set));
  const layout made = fit(rows, width);
  cells_of_run head;
  std::copy(titles.begin(), titles.end(), head.begin());
  std::vector<std::string> lines{line_of(head, made, hue::none, look)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    lines.push_back(line_of(rows[i], made, hue_of(runs[i]), look));
  }
  return lines;
}

}  // namespace tofud::terminal
