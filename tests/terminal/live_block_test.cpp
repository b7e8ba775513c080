#include "daemon/terminal/live_block.hpp"

#include "daemon/terminal/cells.hpp"
#include "daemon/terminal/sanitize.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal {
namespace {

using feed::resource_status;
using feed::step_action;
using feed::step_status;
using texts = std::vector<std::string>;

ui::time_point second(int count) {
  return ui::parse_timestamp("2026-11-21T03:12:00Z").value() + std::chrono::seconds{count};
}

class LiveBlock : public testing::Test {
 protected:
  LiveBlock() {
    picture.running = &running;
    picture.run.phase = feed::run_phase::apply;
    picture.run.started_at = second(0);
    picture.now = second(151);
  }
  /// A resource whose step has run since a second of the run.
  void start(feed::row_number row, const std::string& addr, int at,
             step_action action = step_action::create, const std::string& planned = "",
             std::optional<std::chrono::seconds> expect = {}) {
    feed::resource_row resource;
    resource.source = feed::block_source{"main.tf", 1, {"", "", expect}};
    resource.addr = addr;
    if (!planned.empty()) resource.plan.push_back({planned});
    feed::step step;
    step.action = action;
    step.started_at = second(at);
    resource.steps.push_back(step);
    running.changed(row, resource);
  }
  texts lines(std::size_t width, std::size_t height, style look = {}) {
    return live_lines(picture, {width, height}, look);
  }
  void count(resource_status status, std::uint64_t number) {
    picture.run.counts[static_cast<std::size_t>(status)] = number;
  }

  running_steps running;
  live_picture picture{};
};

TEST_F(LiveBlock, HasALineForEachRunningResourceAndABar) {
  picture.run.progress.done = 12;
  picture.run.progress.total = 41;
  count(resource_status::failed, 1);
  start(0, "aws_db_instance.main", 21);
  start(1, "aws_instance.web", 148, step_action::update);
  start(2, "aws_eip.old", 149, step_action::remove);
  running.log(1, "step 4: fetching");
  EXPECT_EQ(
      lines(60, 24),
      (texts{"  2m10s   + aws_db_instance.main", "   3.0s   ~ aws_instance.web  step 4: fetching",
             "   2.0s   - aws_eip.old", "12/41 · 3 running · 1 failed · 2m31s"}));
}

TEST_F(LiveBlock, AStepThatTakesLongerThanExpectedIsMarked) {
  const std::chrono::seconds expect{90};
  start(0, "t.late", 21, step_action::create, "", expect);
  start(1, "t.soon", 62, step_action::create, "", expect);
  start(2, "t.read", 21, step_action::read, "", expect);
  EXPECT_EQ(lines(60, 24), (texts{"  2m10s   + t.late  expected 1m30s", "  2m10s  <= t.read",
                                  "  1m29s   + t.soon", "3 running · 2m31s"}));
  running.log(0, "step 4");
  EXPECT_EQ(lines(60, 24).front(), "  2m10s   + t.late  expected 1m30s: step 4");
}

TEST_F(LiveBlock, ReplacementHasItsSignAndARefreshItsWord) {
  start(0, "t.a", 150, step_action::remove, "replace");
  start(1, "t.b", 150, step_action::refresh);
  start(2, "t.c", 150, step_action::read);
  EXPECT_EQ(lines(60, 24), (texts{"   1.0s -/+ t.a", "   1.0s     t.b  refreshing",
                                  "   1.0s  <= t.c", "3 running · 2m31s"}));
}

TEST_F(LiveBlock, TakesAThirdOfTheScreenAndSaysHowManyMoreThereAre) {
  for (int i = 0; i < 40; ++i) {
    start(static_cast<feed::row_number>(i), "t.n" + std::to_string(i), 100 - i);
  }
  const texts shown = lines(40, 15);
  EXPECT_EQ(shown, (texts{"  1m30s   + t.n39", "  1m29s   + t.n38", "  1m28s   + t.n37",
                          "        … and 37 more", "40 running · 2m31s"}));
  EXPECT_EQ(lines(40, 200).size(), 41U);
}

TEST_F(LiveBlock, BarAloneIsLeftOfATinyScreen) {
  for (int i = 0; i < 5; ++i) start(static_cast<feed::row_number>(i), "t.n", 1);
  for (const std::size_t height : {1, 2, 3, 5}) {
    EXPECT_EQ(lines(40, height), texts{"5 running · 2m31s"}) << height;
  }
  EXPECT_EQ(lines(40, 6), (texts{"        … and 5 more", "5 running · 2m31s"}));
}

TEST_F(LiveBlock, AddressIsCutInTheMiddle) {
  start(0, R"(module.region["eu-central-1"].module.cluster.aws_instance.node[17])", 150);
  EXPECT_EQ(lines(40, 24)[0], R"(   1.0s   + module.region…ance.node[17])");
  running.log(0, "x");
  EXPECT_EQ(lines(60, 24)[0], R"(   1.0s   + module.region["eu-cent…aws_instance.node[17]  x)");
}

TEST_F(LiveBlock, PlanningIsCounted) {
  picture.run.phase = feed::run_phase::plan;
  picture.run.progress.total = 12;
  picture.refreshed = 820;
  picture.planned = 12;
  EXPECT_EQ(lines(80, 24), texts{"planning · 820 refreshed · 12 planned · 2m31s"});
}

TEST_F(LiveBlock, WaitingForApprovalIsShown) {
  picture.run.phase = feed::run_phase::approval;
  picture.run.progress.total = 12;
  EXPECT_EQ(lines(80, 24), texts{"waiting for approval · 2m31s"});
}

TEST_F(LiveBlock, NoLineIsEverAsWideAsTheScreen) {
  picture.run.progress.done = 12;
  picture.run.progress.total = 12'345;
  count(resource_status::failed, 123);
  start(0, "module.größe[\"世界世界世界世界世界世界世界世界\"].t.n", 1);
  running.log(0, "進捗 進捗 進捗 進捗 進捗 進捗 進捗 進捗 進捗 \xF0\x9F\x9A\x80\xF0\x9F\x9A\x80");
  start(1, std::string(300, 'a'), 2, step_action::refresh);
  running.log(1, std::string(300, 'b'));
  start(2, "", 3);
  for (const bool coloured : {false, true}) {
    for (const charset set : {charset::utf8, charset::ascii}) {
      for (std::size_t width = 0; width < 130; ++width) {
        for (const std::string& line : lines(width, 24, {coloured, set})) {
          const std::string bare = sanitize(line, colours::strip);
          EXPECT_LT(cells(bare), std::max<std::size_t>(width, 2)) << width << ": " << bare;
          EXPECT_TRUE(coloured || bare == line) << line;
        }
      }
    }
  }
}

TEST_F(LiveBlock, EverythingIsAsciiWithoutUtf8) {
  for (int i = 0; i < 9; ++i) start(static_cast<feed::row_number>(i), "t.größe", 1);
  running.log(0, "進捗");
  for (const std::string& line : lines(60, 12, {false, charset::ascii})) {
    for (const char c : line) EXPECT_LT(static_cast<unsigned char>(c), 0x80) << line;
  }
  EXPECT_EQ(lines(60, 12, {false, charset::ascii})[2], "        ... and 7 more");
}

TEST_F(LiveBlock, TextFromOutsideSteersNothing) {
  start(0, "t.\x1b[2J\x1b]0;pwned\a\nn\t", 150);
  running.log(0,
              "\x1b[10A\rgone\x1b]52;c;eA==\a\x9b"
              "2J");
  const texts shown = lines(80, 24);
  EXPECT_EQ(shown[0],
            "   1.0s   + t. n   gone\xEF\xBF\xBD"
            "2J");
}

TEST_F(LiveBlock, NewestLineOfTheResourceCounts) {
  start(0, "t.n", 150);
  running.log(0, "first");
  running.log(0, std::string(5000, 'x') + "end");
  running.log(9, "of nobody");
  EXPECT_EQ(cells(lines(60, 24)[0]), 59U);
  running.log(0, "");
  EXPECT_EQ(lines(60, 24)[0], "   1.0s   + t.n");
}

TEST(Drawn, LeavesTheCursorWhereItBegan) {
  EXPECT_EQ(drawn({}), "");
  EXPECT_EQ(drawn({"bar"}), "bar\r");
  EXPECT_EQ(drawn({"a", "b", "bar"}), "a\r\nb\r\nbar\r\x1b[2A");
}

TEST_F(LiveBlock, SaysHowLongAStepUsuallyTakes) {
  picture.usual = [](std::string_view addr, step_action action) -> std::optional<feed::usual> {
    feed::usual known{30, 40, 12, feed::rung::address, false};
    if (addr == "aws_db.late") return known;
    known.p50 = known.p80 = 600;
    if (addr == "aws_db.main" && action == step_action::create) return known;
    known.p50 = known.p80 = 0.2;
    if (addr == "aws_eip.quick") return known;
    return std::nullopt;
  };
  start(0, "aws_db.main", 1);
  start(1, "aws_db.late", 2);
  start(2, "aws_db.unknown", 3);
  start(3, "aws_eip.quick", 151);
  running.log(1, "step 4");
  const auto all = lines(80, 24);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0], "  2m30s   + aws_db.main  usually 10m00s");
  EXPECT_EQ(all[1], "  2m29s   + aws_db.late  usually 30s (12 times): step 4");
  EXPECT_EQ(all[2], "  2m28s   + aws_db.unknown");
  EXPECT_EQ(all[3], "    0ms   + aws_eip.quick");
}

TEST_F(LiveBlock, SaysWhatTheOthersWaitForWhereLittleRuns) {
  const feed::named_operations database{{"aws_db_instance.main"}, 0}, two{{"a.b", "a.c"}, 0}, none;
  const auto waits = [&](feed::row_number row, const feed::named_operations* what) {
    const feed::causes why{what, nullptr, {}};
    feed::resource_row resource;
    resource.addr = "t.waits";
    resource.causes = &why;
    running.changed(row, resource);
  };
  start(0, "aws_db_instance.main", 21);
  waits(1, &database);
  EXPECT_EQ(lines(80, 24).back(), "1 running · 1 waits for aws_db_instance.main · 2m31s");
  waits(2, &database);
  waits(3, &database);
  waits(4, &two);
  waits(5, &none);
  EXPECT_EQ(lines(80, 24).back(), "1 running · 3 wait for aws_db_instance.main · 2m31s");
  waits(2, nullptr);
  EXPECT_EQ(lines(80, 24).back(), "1 running · 2 wait for aws_db_instance.main · 2m31s");
  for (feed::row_number row = 10; row < 13; ++row) start(row, "t.other", 30);
  EXPECT_EQ(lines(80, 24).back(), "4 running · 2m31s");
}

}  // namespace
}  // namespace tofud::terminal
