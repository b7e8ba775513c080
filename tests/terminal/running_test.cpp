#include "daemon/terminal/running.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal {
namespace {

using feed::step_action;
using feed::step_status;

feed::step step(step_action action, step_status status, int second) {
  feed::step made;
  made.action = action;
  made.status = status;
  made.started_at = ui::time_point{std::chrono::seconds{second}};
  return made;
}

TEST(RunningSteps, EachOpenStepCountsUntilItEnds) {
  running_steps running;
  feed::resource_row resource;
  resource.addr = "t.n";
  resource.steps.push_back(step(step_action::remove, step_status::running, 5));
  resource.steps.push_back(step(step_action::remove, step_status::running, 3));
  running.changed(7, resource);
  running.changed(7, resource);
  EXPECT_EQ(running.size(), 2U);
  resource.steps[1].status = step_status::failed;
  running.changed(7, resource);
  EXPECT_EQ(running.size(), 1U);
  resource.steps[0].status = step_status::interrupted;
  running.changed(7, resource);
  EXPECT_EQ(running.size(), 0U);
  running.log(7, "too late");
  EXPECT_TRUE(running.oldest(9).empty());
}

TEST(RunningSteps, LongAddressIsCutInTheMiddle) {
  running_steps running;
  feed::resource_row resource;
  const std::string addr = "begin" + std::string(1'000'000, 'x') + "end";
  resource.addr = addr;
  resource.steps.push_back(step(step_action::create, step_status::running, 5));
  running.changed(0, resource);
  const std::string& kept = running.oldest(1)[0]->addr;
  EXPECT_LT(kept.size(), 2000U);
  EXPECT_TRUE(kept.starts_with("begin") && kept.ends_with("end"));
}

TEST(RunningSteps, OldestComeFirstAndThoseWithoutTimeBeforeThem) {
  running_steps running;
  for (int i = 0; i < 5; ++i) {
    feed::resource_row resource;
    const std::string addr = "t.n" + std::to_string(i);
    resource.addr = addr;
    resource.steps.push_back(step(step_action::create, step_status::running, 50 - 10 * i));
    if (i == 1) resource.steps.back().started_at.reset();
    running.changed(static_cast<feed::row_number>(i), resource);
  }
  std::vector<std::string> found;
  for (const running_step* each : running.oldest(3)) found.push_back(each->addr);
  EXPECT_EQ(found, (std::vector<std::string>{"t.n1", "t.n4", "t.n3"}));
  EXPECT_EQ(running.oldest(100).size(), 5U);
}

TEST(RunningSteps, LineBelongsToTheNewestOpenStep) {
  running_steps running;
  feed::resource_row resource;
  resource.addr = "t.n";
  resource.steps.push_back(step(step_action::remove, step_status::running, 1));
  resource.steps.push_back(step(step_action::create, step_status::running, 2));
  running.changed(0, resource);
  running.log(0, "hello");
  const auto found = running.oldest(2);
  EXPECT_EQ(found[0]->last_line, "");
  EXPECT_EQ(found[1]->last_line, "hello");
}

}  // namespace
}  // namespace tofud::terminal
