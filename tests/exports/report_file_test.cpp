// What goes into a report, and what is left out when it is too much.
#include "daemon/exports/report_file.hpp"

#include "tests/correlator/recorded.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace tofud::test {
namespace {

struct folded_stream {
  explicit folded_stream(correlator::run_identity identity) : rows{std::move(identity)} {}
  pipeline::engine rows;
  pipeline::run_topics topics{rows, {}};
};

std::unique_ptr<folded_stream> folded(const std::string& scenario) {
  auto stream =
      read_file(std::filesystem::path{TEST_RECORDINGS} / scenario / "stream.jsonl").value();
  correlator::run_identity identity;
  identity.id = "stream";
  auto done = std::make_unique<folded_stream>(std::move(identity));
  done->rows.feed(stream);
  done->rows.end();
  return done;
}

std::multiset<std::string> lines_of(std::string_view text) {
  std::multiset<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

constexpr std::string_view resource = R"({"kind":"resource")", log = R"({"kind":"log")";

TEST(ReportFile, HasTheFoldedRows) {
  for (const char* scenario : {"apply-provider-errors", "provisioner-output-kinds", "large-2000",
                               "pipeline-init-plan-apply-one-stream", "test-fail-error-skip"}) {
    const auto stream =
        read_file(std::filesystem::path{TEST_RECORDINGS} / scenario / "stream.jsonl").value();
    const auto done = folded(scenario);
    const exports::report_rows report = exports::rows_for_report(done->topics.runs(), 1U << 30U);
    EXPECT_EQ(report.cut, "");
    EXPECT_EQ(lines_of(report.rows), lines_of(rows_of("stream", stream))) << scenario;
  }
}

TEST(ReportFile, WithTooManyLinesTheOlderOnesGoAndANoteSaysSo) {
  const auto done = folded("provisioner-firehose");
  const std::string whole = exports::rows_for_report(done->topics.runs(), 1U << 30U).rows;
  const std::size_t rows = whole.find(log);
  const exports::report_rows report =
      exports::rows_for_report(done->topics.runs(), rows + (whole.size() - rows) / 2);
  EXPECT_LE(report.rows.size(), rows + (whole.size() - rows) / 2);
  EXPECT_EQ(count(report.rows, resource), count(whole, resource));
  EXPECT_GT(count(report.rows, log), 0U);
  EXPECT_LT(count(report.rows, log), count(whole, log));
  EXPECT_EQ(report.rows.back(), '\n');
  EXPECT_EQ(report.rows.substr(report.rows.size() - 200), whole.substr(whole.size() - 200));
  EXPECT_NE(report.cut.find("older output lines are left out"), std::string::npos);
  for (const std::string& line : lines_of(report.rows)) EXPECT_TRUE(line.ends_with('}')) << line;
}

TEST(ReportFile, WithTooManyRowsFailuresStay) {
  const auto done = folded("apply-provider-errors");
  const std::string whole = exports::rows_for_report(done->topics.runs(), 1U << 30U).rows;
  const exports::report_rows report =
      exports::rows_for_report(done->topics.runs(), whole.find(resource) + 2000);
  EXPECT_LE(report.rows.size(), whole.find(resource) + 2000);
  EXPECT_EQ(count(report.rows, R"({"kind":"diagnostic")"), count(whole, R"({"kind":"diagnostic")"));
  EXPECT_GT(count(report.rows, resource), 0U);
  EXPECT_LT(count(report.rows, resource), count(whole, resource));
  EXPECT_NE(report.cut.find("some rows"), std::string::npos);
}

}  // namespace
}  // namespace tofud::test
