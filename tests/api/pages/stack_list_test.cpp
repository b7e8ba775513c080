#include "daemon/api/pages/stack_list.hpp"

#include "tests/api/pages/read_page.hpp"
#include "tests/wall/history.hpp"

using namespace tofud;
using namespace tofud::pages;
using namespace std::chrono_literals;
using wall::minute;

namespace {

wall::stack_summary summary_of(const std::vector<wall::run_facts>& runs, ui::time_point now) {
  wall::stack_cards cards;
  for (const wall::run_facts& each : runs) cards.update(each);
  return *cards.summary("net", now);
}

}  // namespace

TEST(StackListPage, SaysWhatIsToBeDoneAboutEach) {
  const ui::time_point now = minute(3 * 24 * 60);
  wall::made_run applied{"applied", feed::run_command::apply, 1};
  applied.facts().from.who = "<ada>";
  applied.facts().commit = "1a2b3c4d5e";
  wall::made_run check{"check", feed::run_command::plan, 5};
  check.facts().rows.drifted = 2;
  const auto page =
      read(stack_list_page({{summary_of({applied.facts(), check.facts()}, now)}, false, now}));
  EXPECT_TRUE(says(page, "net ✓ succeeded 2 d ago by <ada> 1a2b3c4")) << page.text;
  EXPECT_TRUE(says(page, "drifted 2 d")) << page.text;
  EXPECT_TRUE(says(page, "1 apply, half within 30s")) << page.text;
  EXPECT_NE(std::find(page.links.begin(), page.links.end(), "./stacks/net"), page.links.end());
}

TEST(StackListPage, SaysWhereThereAreNoneAndWhereThereAreMore) {
  EXPECT_TRUE(says(read(stack_list_page({{}, false, minute(1)})), "No stacks yet."));
  wall::made_run plan{"p", feed::run_command::plan, 1};
  const auto page =
      read(stack_list_page({{summary_of({plan.facts()}, minute(2))}, true, minute(2)}));
  EXPECT_TRUE(says(page, "none"));
  EXPECT_TRUE(says(page, "There are more."));
}
