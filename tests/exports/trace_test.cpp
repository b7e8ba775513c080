#include "daemon/exports/trace.hpp"

#include "tests/exports/rows.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace tofud::exports {
namespace {

using feed::resource_status;
using test::small_run;

boost::json::array events_of(const std::vector<run_rows>& runs) {
  return boost::json::parse(trace(runs)).at("traceEvents").as_array();
}

std::vector<boost::json::object> of_type(const boost::json::array& events, std::string_view type) {
  std::vector<boost::json::object> found;
  for (const auto& event : events) {
    if (event.at("ph").as_string() == type) found.push_back(event.as_object());
  }
  return found;
}

TEST(Trace, HasAnEventOfEveryStepInMicrosecondsSinceTheRunBegan) {
  small_run run;
  run.resource("t.n", resource_status::done, 1, 3.5);
  const auto steps = of_type(events_of({run.rows()}), "X");
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].at("name").as_string(), "t.n");
  EXPECT_EQ(steps[0].at("cat").as_string(), "create");
  EXPECT_EQ(steps[0].at("ts").as_int64(), 1'000'000);
  EXPECT_EQ(steps[0].at("dur").as_int64(), 2'500'000);
}

TEST(Trace, StepsOfOneThreadNeverOverlap) {
  small_run run;
  for (int i = 0; i < 30; ++i) run.resource("t.n", resource_status::done, i % 7, i % 7 + i % 5);
  std::map<std::int64_t, std::int64_t> busy_until;
  for (const auto& step : of_type(events_of({run.rows()}), "X")) {
    auto& until = busy_until[step.at("tid").as_int64()];
    EXPECT_GE(step.at("ts").as_int64(), until);
    until = step.at("ts").as_int64() + step.at("dur").as_int64();
  }
  EXPECT_GT(busy_until.size(), 1U);
}

TEST(Trace, AStepThatNeverEndedReachesToTheNewestLine) {
  small_run run;
  run.resource("t.n", resource_status::interrupted, 4, -1);
  const auto steps = of_type(events_of({run.rows()}), "X");
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].at("dur").as_int64(), 6'000'000);
}

TEST(Trace, AProvisionerLiesWithinItsStep) {
  small_run run;
  auto& row = run.resource("t.n", resource_status::done, 2, 4);
  feed::provisioner provisioner;
  provisioner.name = "local-exec";
  provisioner.started_at = test::at_second(1.5);  // stamps step back
  row.steps[0].provisioners.push_back(provisioner);
  const auto steps = of_type(events_of({run.rows()}), "X");
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[1].at("name").as_string(), "local-exec");
  EXPECT_EQ(steps[1].at("ts").as_int64(), 2'000'000);
  EXPECT_EQ(steps[1].at("dur").as_int64(), 2'000'000);
}

TEST(Trace, EachRunOfAStreamIsAProcessAndErrorsAreInstants) {
  small_run one;
  small_run two;
  two.rows().run.started_at = test::at_second(20);
  two.diagnostic("error", "bad");
  two.diagnostic("warning", "fine");
  const auto events = events_of({one.rows(), two.rows()});
  EXPECT_EQ(of_type(events, "M").size(), 2U);
  const auto errors = of_type(events, "i");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].at("pid").as_int64(), 2);
  EXPECT_EQ(errors[0].at("s").as_string(), "p");
  EXPECT_EQ(errors[0].at("ts").as_int64(), 5'000'000);
}

TEST(Trace, IsJsonWhateverTheTextIs) {
  small_run run;
  auto& row = run.resource(test::hostile, resource_status::failed);
  small_run::identify(row, test::hostile);
  run.diagnostic("error", test::hostile, &row);
  run.rows().run.stack = test::hostile;
  EXPECT_EQ(of_type(events_of({run.rows()}), "X").size(), 1U);
  EXPECT_EQ(events_of({}).size(), 0U);
}

}  // namespace
}  // namespace tofud::exports
