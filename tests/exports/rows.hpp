// A run as exports see it, with its rows.
#pragma once

#include "daemon/exports/run_rows.hpp"

#include <deque>
#include <string>
#include <string_view>

namespace tofud::exports::test {

inline ui::time_point at_second(double count) {
  return ui::time_point{
      std::chrono::microseconds{1'000'000'000'000'000 + static_cast<std::int64_t>(count * 1e6)}};
}

/// Text that some format has a meaning for, and some that no format has a place for.
inline constexpr std::string_view hostile =
    "=cmd|'/c calc'!A0,\"x\"\r\n]]><script>&amp;`|`\\|\x1b[31m\x1b]0;t\a\x01\xff\xE2\x80\xAE"
    "\xEF\xBF\xBF @all #1 **b** https://evil.example <!-- ::error:: -->";

class small_run {
 public:
  small_run() {
    rows_.run.id = "20261121T0312-7f3a";
    rows_.run.command = feed::run_command::apply;
    rows_.run.status = feed::run_status::succeeded;
    rows_.run.started_at = at_second(0);
    rows_.run.ended_at = rows_.run.last_line_at = at_second(10);
  }

  /// An apply-phase step from `begin` to `end` seconds; negative: no end.
  feed::resource_row& resource(std::string_view addr, feed::resource_status status,
                               double begin = 0, double end = 1) {
    feed::resource_row& row = resources_.emplace_back();
    row.addr = addr;
    row.status = status;
    row.plan.push_back({"create"});
    feed::step step;
    step.number = 1;
    step.phase = feed::run_phase::apply;
    step.action = feed::step_action::create;
    step.status = end < 0 ? feed::step_status::running : feed::step_status::done;
    step.started_at = at_second(begin);
    if (end >= 0) step.ended_at = at_second(end);
    row.steps.push_back(step);
    rows_.resources.push_back(&row);
    return row;
  }

  /// The id of its first step, and so its own.
  static void identify(feed::resource_row& row, std::string_view id) {
    row.steps[0].id_value = id;
    row.id_step = 1;
  }
  /// What its configuration says of it.
  static void annotate(feed::resource_row& row, feed::annotations said,
                       std::string_view file = "main.tf") {
    row.source = feed::block_source{file, 1, said};
  }

  feed::diagnostic_row& diagnostic(std::string_view severity, std::string_view summary,
                                   feed::resource_row* of = nullptr) {
    feed::diagnostic_row& row = diagnostics_.emplace_back();
    row.ordinal = static_cast<std::uint32_t>(diagnostics_.size());
    row.severity = severity;
    row.summary = summary;
    row.at = at_second(5);
    if (of != nullptr) {
      row.address = of->addr;
      of->diagnostics.push_back(row.ordinal);
    }
    rows_.diagnostics.push_back(&row);
    return row;
  }

  void test_file(std::string path, std::string status) {
    rows_.run.command = feed::run_command::test;
    rows_.test_files.push_back(&files_.emplace_back(feed::test_file_row{path, status}));
  }
  void test_run(std::string path, std::string name, std::string status) {
    rows_.test_runs.push_back(&runs_.emplace_back(feed::test_run_row{path, name, status}));
  }

  run_rows& rows() { return rows_; }

 private:
  run_rows rows_;
  std::deque<feed::resource_row> resources_;
  std::deque<feed::diagnostic_row> diagnostics_;
  std::deque<feed::test_file_row> files_;
  std::deque<feed::test_run_row> runs_;
};

}  // namespace tofud::exports::test
