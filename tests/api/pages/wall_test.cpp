#include "daemon/api/pages/wall.hpp"

#include "tests/api/pages/read_page.hpp"

using namespace tofud;
using namespace tofud::pages;
using namespace std::chrono_literals;
using feed::run_status;

namespace {

const ui::time_point now = *ui::parse_timestamp("2026-11-21T03:12:05Z");

wall_card card(std::string stack, run_status status, std::chrono::minutes ago = 5min) {
  wall_card made;
  made.stack.stack = made.stack.name = std::move(stack);
  made.stack.run = "run-" + made.stack.stack;
  made.stack.command = feed::run_command::apply;
  made.stack.phase = feed::run_phase::apply;
  made.stack.status = status;
  made.stack.started_at = now - ago - 1min;
  made.stack.last_line_at = now - ago;
  if (status != run_status::running) {
    made.stack.ended_at = now - ago;
    made.stack.outcome =
        feed::stack_outcome{made.stack.run, status, made.stack.command, made.stack.ended_at, "", 0};
  }
  return made;
}

read_page wall_of(std::vector<wall_card> cards) { return read(wall_page({std::move(cards), now})); }

}  // namespace

TEST(WallPage, FailedStacksComeFirstThenFailingThenRunningThenWaitingEachTheNewestFirst) {
  auto waits = card("waits", run_status::succeeded, 1min);
  waits.stack.change =
      feed::stack_change{feed::change_state::waiting, "p1", "", feed::change_link::none};
  auto failing = card("failing one", run_status::running);
  failing.run = feed::run_view{};
  failing.run->counts[static_cast<std::size_t>(feed::resource_status::failed)] = 2;
  const auto page =
      wall_of({failing, card("quiet", run_status::succeeded, 1min),
               card("old failure", run_status::failed, 90min), waits,
               card("new failure", run_status::lost, 10min), card("live", run_status::running)});
  std::size_t last = 0;
  for (const char* name : {"new failure", "old failure", "failing one", "live", "waits", "quiet"}) {
    const std::size_t at = page.text.find(" " + std::string{name} + " ");
    ASSERT_NE(at, std::string::npos) << name;
    EXPECT_GT(at, last) << name;
    last = at;
  }
  EXPECT_TRUE(says(page, "failing one ▶ failing"));
  EXPECT_EQ(page.title, "2 failed · 1 failing · 1 running · 1 waiting · tofud");
}

TEST(WallPage, TitleHasCountsWithFailuresFirst) {
  EXPECT_EQ(wall_of({card("a", run_status::running), card("b", run_status::failed),
                     card("c", run_status::succeeded)})
                .title,
            "1 failed · 1 running · tofud");
  EXPECT_EQ(wall_of({card("c", run_status::succeeded)}).title, "1 stack, all quiet · tofud");
  EXPECT_EQ(wall_of({}).title, "0 stacks, all quiet · tofud");
}

TEST(WallPage, ACardHasTheRunAndItsTime) {
  auto live = card("net", run_status::running, 4min);
  live.run = feed::run_view{};
  live.run->progress.done = 9;
  live.run->progress.total = 41;
  live.run->planned = feed::change_counts{41, 0, 0, 0, 0};
  const auto page = wall_of({live});
  EXPECT_TRUE(says(page, "net ▶ running apply 9/41, for 5 min +41"));
  EXPECT_NE(std::find(page.links.begin(), page.links.end(), "../?run=run-net"), page.links.end());
}

TEST(WallPage, ACardSaysWhatAFailureKeepsFromBeginning) {
  auto live = card("net", run_status::failed, 4min);
  live.run = feed::run_view{};
  live.run->failures.worst = feed::run_view::stranding{"aws_db.<main>", 9};
  EXPECT_TRUE(says(wall_of({live}), "9 behind aws_db.<main>"));
}

TEST(WallPage, AgesAreByTheDaemonsClock) {
  auto ahead = card("net", run_status::succeeded, -55min);
  ahead.stack.clock_offset = std::chrono::microseconds{-1h};
  EXPECT_TRUE(says(wall_of({ahead}), "✓ succeeded apply , 5 min ago"));
}

TEST(WallPage, ASilentRunHasNoContact) {
  auto silent = card("net", run_status::running, 3min);
  silent.stack.contact = feed::run_contact::none;
  EXPECT_TRUE(says(wall_of({silent}), "no contact, last line 3 min ago"));
  auto over = card("net", run_status::succeeded, 30min);
  over.stack.contact = feed::run_contact::lost;
  EXPECT_FALSE(says(wall_of({over}), "no contact"));
}

TEST(WallPage, EveryStateOfAChangeIsASentence) {
  auto one = card("net", run_status::succeeded);
  const auto said = [&one](feed::change_state state) {
    one.stack.change = feed::stack_change{state, "p1", "a1", feed::change_link::hash};
    return wall_of({one});
  };
  EXPECT_TRUE(says(said(feed::change_state::planned), "plan was not saved"));
  EXPECT_TRUE(says(said(feed::change_state::waiting), "plan waits for its apply"));
  EXPECT_TRUE(says(said(feed::change_state::applying), "applies this plan"));
  EXPECT_TRUE(says(said(feed::change_state::applied), "plan was applied"));
  EXPECT_TRUE(says(said(feed::change_state::failed), "the apply of this plan failed"));
  EXPECT_TRUE(says(said(feed::change_state::outdated), "plan is outdated"));
}

TEST(WallPage, ALockNamesItsHolder) {
  auto locked = card("net", run_status::failed);
  locked.stack.lock = feed::stack_lock{};
  locked.stack.lock->who = "ann@laptop";
  EXPECT_TRUE(says(wall_of({locked}), "state locked by somebody else: ann@laptop"));
  locked.stack.lock->holder = "r7";
  locked.stack.lock->state = feed::lock_state::held;
  EXPECT_TRUE(says(wall_of({locked}), "state locked by r7"));
  locked.stack.lock->state = feed::lock_state::abandoned;
  EXPECT_TRUE(says(wall_of({locked}), "state locked by r7 , which left the lock behind"));
  locked.stack.lock->state = feed::lock_state::released;
  EXPECT_FALSE(says(wall_of({locked}), "locked"));
}

TEST(WallPage, SupersededFailuresAreNamed) {
  auto good = card("net", run_status::succeeded);
  good.stack.outcome->superseded = "r1";
  good.stack.outcome->superseded_runs = 2;
  EXPECT_TRUE(says(wall_of({good}), "fixes 2 earlier failures"));
}

TEST(WallPage, OutcomeOfAnEarlierRunIsNotHiddenByTheOneThatGoesOn) {
  auto live = card("net", run_status::running);
  live.stack.outcome =
      feed::stack_outcome{"r1", run_status::failed, feed::run_command::apply, now, "", 0};
  EXPECT_TRUE(says(wall_of({live}), "last outcome: ✗ failed apply"));
}

TEST(WallPage, HostileTextMakesNoElement) {
  auto hostile = card("</h2><script>alert(1)</script>", run_status::failed);
  hostile.stack.lock = feed::stack_lock{};
  hostile.stack.lock->who = "<img src=x>";
  const auto page = wall_of({hostile});
  EXPECT_EQ(std::count(page.elements.begin(), page.elements.end(), "script"), 0);
  EXPECT_EQ(std::count(page.elements.begin(), page.elements.end(), "img"), 0);
}

TEST(WallPage, ReloadsItself) {
  EXPECT_NE(wall_page({{}, now}).find("http-equiv=\"refresh\""), std::string::npos);
}
