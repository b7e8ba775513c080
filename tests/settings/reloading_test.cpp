#include "daemon/settings/reloading.hpp"

#include <gtest/gtest.h>

namespace tofud::serve {
namespace {

settings::said_settings said(std::string text) {
  settings::said_settings made;
  made.from.files = {{"f", std::move(text)}};
  return made;
}

class Reloading : public testing::Test {
 protected:
  settings::said_settings now_ = said("");
  settings::reloading reload_{settings::effective{}, [this] { return now_; }};
  std::vector<std::uint64_t> first_, second_;

  void SetUp() override {
    reload_.add([this](const settings::settings& wanted) {
      return settings::reload_step::to(
          [this, days = wanted.retain.days] { first_.push_back(days); });
    });
    reload_.add([this](const settings::settings& wanted) {
      if (wanted.retain.runs == 13) return settings::reload_step::refused("thirteen is too many");
      return settings::reload_step::to(
          [this, runs = wanted.retain.runs] { second_.push_back(runs); });
    });
  }
};

using numbers = std::vector<std::uint64_t>;
using sentences = std::vector<std::string>;

TEST_F(Reloading, EveryPartGetsTheNewSettings) {
  now_ = said("retain.days = 7\nretain.runs = 8\n");
  const auto outcome = reload_.reload();
  EXPECT_TRUE(outcome.failures.empty());
  EXPECT_EQ(outcome.changed, (sentences{"retain.days is 7 now, it was 90 (f:1:8)",
                                        "retain.runs is 8 now, it was 10000 (f:2:8)"}));
  EXPECT_EQ(first_, numbers{7});
  EXPECT_EQ(second_, numbers{8});
}

TEST_F(Reloading, ARefusalOfOnePartChangesNoOther) {
  now_ = said("retain.days = 7\nretain.runs = 13\n");
  const auto outcome = reload_.reload();
  EXPECT_EQ(outcome.failures, sentences{"thirteen is too many"});
  EXPECT_TRUE(outcome.changed.empty());
  EXPECT_TRUE(first_.empty());
  now_ = said("retain.days = 7\n");
  EXPECT_EQ(reload_.reload().changed, sentences{"retain.days is 7 now, it was 90 (f:1:8)"});
}

TEST_F(Reloading, AFileThatCanNotBeReadChangesNothing) {
  now_ = said("retain.days = 7\n");
  now_.failures.push_back({"g", "can't be read"});
  EXPECT_EQ(reload_.reload().failures, sentences{"g: can't be read"});
  EXPECT_TRUE(first_.empty());
}

TEST_F(Reloading, ReportsOptionsThatNeedARestart) {
  now_ = said("listen = []\n");
  const auto outcome = reload_.reload();
  EXPECT_EQ(outcome.needs_restart, sentences{"listen has changed and needs a restart"});
  EXPECT_TRUE(outcome.changed.empty());
}

}  // namespace
}  // namespace tofud::serve
