#include "daemon/settings/reload.hpp"

#include <gtest/gtest.h>

namespace tofud::settings {
namespace {

sources file(std::string text) {
  sources from;
  from.files = {{"f", std::move(text)}};
  return from;
}

std::vector<std::string_view> keys(const std::vector<const option*>& all) {
  std::vector<std::string_view> names;
  for (const option* each : all) names.push_back(each->key);
  return names;
}

using names = std::vector<std::string_view>;

TEST(Reload, EqualConfigurationChangesNothing) {
  const auto from = file("retain.days = 7\n");
  const auto current = merge(from).now;
  const auto made = reload(current, from);
  EXPECT_TRUE(made.failures.empty());
  EXPECT_TRUE(made.changed.empty());
  EXPECT_TRUE(made.needs_restart.empty());
  EXPECT_EQ(made.now.values, current.values);
}

TEST(Reload, SomeOptionsTakeEffectAndTheOthersNeedARestart) {
  const auto current = merge(file("retain.days = 7\n")).now;
  const auto made =
      reload(current, file("listen = []\nmask_file = \"/m\"\nretain.days = 8\nretain.runs = 3\n"));
  EXPECT_EQ(keys(made.changed), (names{"mask_file", "retain.days", "retain.runs"}));
  EXPECT_EQ(keys(made.needs_restart), names{"listen"});
  EXPECT_EQ(made.now.values.retain.days, 8U);
  EXPECT_EQ(made.now.values.mask_file, "/m");
  EXPECT_EQ(made.now.values.listen, settings{}.listen);
  EXPECT_EQ(made.now.origin_of(*find_option("retain.days")).text, "f:3:8");
  EXPECT_EQ(made.now.origin_of(*find_option("listen")).text, "default");
}

TEST(Reload, ANeededRestartIsReportedUntilItIsDone) {
  const auto from = file("listen = []\n");
  const auto once = reload(effective{}, from);
  const auto twice = reload(once.now, from);
  EXPECT_EQ(keys(twice.needs_restart), names{"listen"});
}

TEST(Reload, AnOptionThatIsTakenOutHasItsDefaultAgain) {
  const auto current = merge(file("retain.days = 7\n")).now;
  const auto made = reload(current, file(""));
  EXPECT_EQ(keys(made.changed), names{"retain.days"});
  EXPECT_EQ(made.now.values, settings{});
}

TEST(Reload, OneMistakeChangesNothing) {
  const auto current = merge(file("retain.days = 7\n")).now;
  const auto made = reload(current, file("retain.days = 8\nlisen = []\n"));
  ASSERT_EQ(made.failures.size(), 1U);
  EXPECT_EQ(made.failures[0].where, "f:2:1");
  EXPECT_TRUE(made.changed.empty());
  EXPECT_EQ(made.now.values, current.values);
}

}  // namespace
}  // namespace tofud::settings
