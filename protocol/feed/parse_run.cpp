#include "protocol/feed/parse_run.hpp"

#include <boost/json/parse.hpp>

#include <cmath>

namespace tofud::feed {
namespace {

using boost::json::object;

const object& inner(const object& from, std::string_view field) {
  static const object none;
  const auto* found = from.if_contains(field);
  return found != nullptr && found->is_object() ? found->get_object() : none;
}

std::string text(const object& from, std::string_view field) {
  const auto* found = from.if_contains(field);
  return found != nullptr && found->is_string() ? std::string{found->get_string()} : std::string{};
}

template <typename Number>
void take_number(Number& to, const object& from, std::string_view field) {
  const auto* found = from.if_contains(field);
  boost::json::error_code failed;
  if (found == nullptr) return;
  const Number number = found->to_number<Number>(failed);
  if (!failed) to = number;
}

std::optional<ui::time_point> time(const object& from, std::string_view field) {
  return ui::parse_timestamp(text(from, field));
}

template <typename Enum>
void take_word(Enum& to, std::size_t words, const object& from, std::string_view field) {
  const std::string word = text(from, field);
  for (std::size_t i = 0; i < words; ++i) {
    if (name(static_cast<Enum>(i)) == word) to = static_cast<Enum>(i);
  }
}

std::optional<change_counts> changes(const object& from, std::string_view field) {
  const object& given = inner(from, field);
  if (given.empty()) return std::nullopt;
  change_counts counts;
  take_number(counts.add, given, "add");
  take_number(counts.change, given, "change");
  take_number(counts.import, given, "import");
  take_number(counts.remove, given, "remove");
  take_number(counts.forget, given, "forget");
  return counts;
}

std::optional<test_counts> tests(const object& from) {
  const object& given = inner(from, "tests");
  if (given.empty()) return std::nullopt;
  test_counts counts;
  take_number(counts.passed, given, "passed");
  take_number(counts.failed, given, "failed");
  take_number(counts.errored, given, "errored");
  take_number(counts.skipped, given, "skipped");
  return counts;
}

void take_words(run_view& run, const object& row) {
  take_word(run.command, run_commands, row, "command");
  take_word(run.status, run_statuses, row, "status");
  take_word(run.phase, run_phases, row, "phase");
  const std::string contact = text(row, "contact");
  for (const auto each : {run_contact::ok, run_contact::none, run_contact::lost}) {
    if (name(each) == contact) run.contact = each;
  }
}

void take_counts(run_view& run, const object& row) {
  for (std::size_t i = 0; i < resource_statuses; ++i) {
    take_number(run.counts[i], inner(row, "counts"), name(static_cast<resource_status>(i)));
  }
  take_number(run.progress_done, inner(row, "progress"), "done");
  take_number(run.progress_total, inner(row, "progress"), "total");
  take_number(run.errors, inner(row, "diagnostics"), "error");
  take_number(run.warnings, inner(row, "diagnostics"), "warning");
  const object& lines = inner(row, "lines");
  take_number(run.messages, lines, "messages");
  take_number(run.text, lines, "text");
  take_number(run.log, lines, "log");
  take_number(run.unmatched, lines, "unmatched");
  take_number(run.malformed, lines, "malformed");
}

void take_clock(run_view& run, const object& row) {
  const auto* offset = row.if_contains("clock_offset_s");
  if (offset == nullptr || !offset->is_number()) return;
  boost::json::error_code failed;
  const auto seconds = offset->to_number<double>(failed);
  // A thousand years are no clock; beyond, the number would not fit.
  if (failed || !(std::abs(seconds) < 3e10)) return;
  run.clock_offset = std::chrono::microseconds{std::llround(seconds * 1e6)};
}

}  // namespace

std::optional<run_view> parse_run(std::string_view json) {
  boost::json::error_code failed;
  const auto parsed = boost::json::parse(json, failed);
  if (failed || !parsed.is_object()) return std::nullopt;
  const object& row = parsed.get_object();
  run_view run;
  run.id = text(row, "key");
  if (text(row, "kind") != "run" || run.id.empty()) return std::nullopt;
  take_words(run, row);
  take_counts(run, row);
  take_clock(run, row);
  run.tofu = text(inner(row, "versions"), "tofu");
  run.terraform = text(inner(row, "versions"), "terraform");
  run.ui = text(inner(row, "versions"), "ui");
  for (const auto& [key, value] : inner(row, "labels")) {
    if (value.is_string()) {
      run.labels.push_back({std::string{key}, std::string{value.get_string()}});
    }
  }
  run.planned = changes(row, "planned");
  run.applied = changes(row, "applied");
  run.started_at = time(row, "started_at");
  run.ended_at = time(row, "ended_at");
  run.last_line_at = time(row, "last_line_at");
  if (const auto* status = row.if_contains("exit_status"); status && status->is_int64()) {
    run.exit_status = 0;
    take_number(*run.exit_status, row, "exit_status");
  }
  run.stack = text(row, "stack");
  run.tests = tests(row);
  if (const auto* mixed = row.if_contains("interleaved"); mixed && mixed->is_bool()) {
    run.interleaved = mixed->get_bool();
  }
  return run;
}

}  // namespace tofud::feed
