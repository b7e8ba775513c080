#include "daemon/exports/report_file.hpp"

#include "daemon/dashboard/report.hpp"
#include "daemon/exports/limits.hpp"
#include "daemon/files/whole_file.hpp"
#include "daemon/operations/version.hpp"
#include "protocol/feed/limits.hpp"

#include <chrono>
#include <functional>
#include <initializer_list>
#include <string_view>

namespace tofud::exports {
namespace {

using feed::row_kind;

feed::filter only(std::initializer_list<row_kind> kinds) {
  feed::filter wanted;
  for (const row_kind kind : kinds) wanted.kinds.set(static_cast<std::size_t>(kind));
  return wanted;
}

bool is_control(std::string_view line) {
  return line.starts_with(R"({"kind":"at")") || line.starts_with(R"({"kind":"gap")");
}

/// Gives `take` the lines that a subscriber of the topic gets, each with its '\n', until it
/// returns false.
void read(const fanout::topic& topic, const feed::filter& wanted,
          const std::function<bool(std::string_view)>& take) {
  fanout::cursor where;
  fanout::filled did = fanout::filled::more;
  for (std::string flush; did == fanout::filled::more; flush.clear()) {
    did = topic.fill(where, wanted, flush);
    std::string_view rest{flush};
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n') + 1);
      rest.remove_prefix(line.size());
      if (!is_control(line) && !take(line)) return;
    }
  }
}

/// Leaves about the last `most` bytes, whole lines. True if something went.
bool keep_the_end(std::string& lines, std::size_t most) {
  if (lines.size() <= most) return false;
  const std::size_t newline = lines.find('\n', lines.size() - most - 1);
  lines.erase(0, newline + 1);
  return true;
}

}  // namespace

report_rows rows_for_report(const std::deque<pipeline::run>& runs, std::size_t most) {
  report_rows report;
  bool rows_left_out = false, lines_left_out = false;
  const auto add = [&](std::string_view row) {
    rows_left_out |= report.rows.size() + row.size() > most;
    if (!rows_left_out) report.rows.append(row);
    return !rows_left_out;
  };
  for (const auto& wanted : {only({row_kind::run, row_kind::diagnostic, row_kind::output,
                                   row_kind::message, row_kind::test_file, row_kind::test_run}),
                             only({row_kind::resource})}) {
    for (const pipeline::run& each : runs) read(each.topic, wanted, add);
  }
  std::string lines;
  const std::size_t room = most - report.rows.size();
  for (const pipeline::run& each : runs) {
    read(each.topic, only({row_kind::log, row_kind::text}), [&](std::string_view line) {
      lines.append(line);
      // In bulk, so that a line costs little.
      if (lines.size() > 2 * room + limits::row_bytes) lines_left_out |= keep_the_end(lines, room);
      return true;
    });
  }
  lines_left_out |= keep_the_end(lines, room);
  report.rows.append(lines);
  if (rows_left_out) {
    report.cut = "This report has reached its size limit: some rows and output lines are left out.";
  } else if (lines_left_out) {
    report.cut = "This report has reached its size limit: older output lines are left out.";
  }
  return report;
}

namespace {

/// What the attached plan changes. Empty: none is attached, or it is too large, or takes too long.
std::string plan_rows(const pipeline::run& of,
                      const std::shared_ptr<const redact::ready_rules>& by) {
  const auto& attached = of.stream().attached();
  if (!attached || !attached->has(feed::attachment::plan)) return "";
  // Masking it takes time that can't be cut short, and its size twice.
  if (attached->bytes(feed::attachment::plan) > limits::report_plan_bytes) return "";
  const auto next = attached->all_rows(by);
  const auto until = std::chrono::steady_clock::now() + limits::report_plan_time;
  std::string rows;
  while (next(rows)) {
    if (rows.size() > limits::report_plan_bytes || std::chrono::steady_clock::now() > until)
      return "";
  }
  return rows;
}

std::string page_of(dashboard::report_text text) {
  const std::string server =
      std::string{"tofud "} + operations::version + ", build " + operations::build_id;
  text.server = server;
  text.licences = dashboard::licences().bytes;
  return dashboard::report(dashboard::script("report"), dashboard::style("report"), text);
}

}  // namespace

std::string report_of_plan(std::string_view name, std::string_view rows) {
  return page_of({.rows = {}, .cut = {}, .server = {}, .licences = {}, .plan = {{name, rows, {}}}});
}

std::optional<std::string> write_report(const std::string& file,
                                        const std::deque<pipeline::run>& runs,
                                        const std::shared_ptr<const redact::ready_rules>& by) {
  const report_rows rows = rows_for_report(runs, limits::report_bytes);
  const std::string plan = runs.empty() ? std::string{} : plan_rows(runs.back(), by);
  dashboard::report_text text{
      .rows = rows.rows, .cut = rows.cut, .server = {}, .licences = {}, .plan = {}};
  if (!plan.empty()) text.plan = {{}, plan, runs.back().state.id()};
  const auto failure = files::write_file_of_run(file, page_of(text));
  if (failure.empty()) return std::nullopt;
  return "no report: " + failure.text();
}

}  // namespace tofud::exports
