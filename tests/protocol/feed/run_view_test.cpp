#include "protocol/feed/run_view.hpp"

#include "protocol/feed/encode.hpp"

#include <gtest/gtest.h>

using namespace tofud;
using namespace tofud::feed;

namespace {

std::string encoded(const run_view& view) {
  std::string out;
  encode(out, view, 0);
  return out;
}

run_view full_view() {
  run_view run;
  run.id = "20261121T0312-7f3a.2";
  run.command = run_command::test;
  run.status = run_status::interrupted;
  run.phase = run_phase::apply;
  run.tofu = "1.12.6";
  run.terraform = "1.11";
  run.ui = "1.2";
  run.labels = {{"workspace", "prod-net"}, {"with \"quotes\"", "ä"}};
  for (std::size_t i = 0; i < resource_statuses; ++i) run.counts[i] = i + 1;
  run.progress.done = 9;
  run.progress.total = 41;
  run.planned = change_counts{41, 2, 3, 4, 5};
  run.applied = change_counts{1, 0, 0, 0, 0};
  run.diagnostics.errors = 1;
  run.diagnostics.warnings = 2;
  run.started_at = ui::parse_timestamp("2026-11-21T03:12:05.120331Z");
  run.ended_at = ui::parse_timestamp("2026-11-21T03:14:36.0012Z");
  run.last_line_at = run.ended_at;
  run.exit_status = 143;
  run.lines.messages = 112;
  run.lines.text = 1;
  run.lines.log = 40;
  run.lines.unmatched = 3;
  run.lines.malformed = 4;
  run.stack = "github.com/acme/infra/net@prod";
  run.tests = test_counts{3, 1, 0, 2};
  run.interleaved = true;
  run.contact = run_contact::none;
  run.clock_offset = std::chrono::microseconds{-1'250'000};
  return run;
}

TEST(RunView, ReadBackIsWhatWasWritten) {
  for (const run_view& view : {full_view(), [] {
                                 run_view empty;
                                 empty.id = "20261121T0312-7f3a";
                                 return empty;
                               }()}) {
    const auto read = parse_run_view(encoded(view));
    ASSERT_TRUE(read);
    EXPECT_EQ(encoded(*read), encoded(view));
  }
}

TEST(RunView, OtherDocumentIsNoView) {
  for (const char* text : {"", "[]", "{}", R"({"kind":"resource","key":"a"})", R"({"kind":"run"})"})
    EXPECT_FALSE(parse_run_view(text)) << text;
}

TEST(RunView, FieldsOfAnotherTypeAreAsIfMissing) {
  const auto read = parse_run_view(
      R"({"kind":"run","key":"a","status":7,"labels":[],"counts":{"done":"x"},"planned":1,)"
      R"("started_at":"then","exit_status":null,"lines":null,"clock_offset_s":"x","contact":1})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->status, run_status::lost);
  EXPECT_FALSE(read->started_at);
  EXPECT_FALSE(read->exit_status);
}

}  // namespace
