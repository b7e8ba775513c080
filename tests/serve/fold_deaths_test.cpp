#include "daemon/serve/fold_deaths.hpp"

#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace tofud::serve {
namespace {

using namespace std::chrono_literals;

class FoldDeaths : public testing::Test {  // NOLINT(readability-identifier-naming): GoogleTest's
 protected:
  /// A daemon that dies so long after it began to fold the run.
  void dies_after(std::chrono::seconds time, const std::string& run = "a") {
    fold_deaths deaths{file, now};
    deaths.began(run, now);
    now += time;
  }
  tests::scratch_directory home;
  std::string file = home.path() + "/folding";
  fold_deaths::clock::time_point now = fold_deaths::clock::now();
};

TEST_F(FoldDeaths, TwoInTheSameRunMakeItDeadly) {
  dies_after(60s);
  EXPECT_FALSE(fold_deaths(file, now).is_deadly("a"));
  dies_after(60s);
  EXPECT_TRUE(fold_deaths(file, now).is_deadly("a"));
  EXPECT_FALSE(fold_deaths(file, now).is_deadly("b"));
}

TEST_F(FoldDeaths, DeathRightAfterTheStartIsNotCounted) {
  for (int i = 0; i < 20; ++i) dies_after(1s);
  EXPECT_FALSE(fold_deaths(file, now).is_deadly("a"));
}

TEST_F(FoldDeaths, AskingForTheRunResetsTheCount) {
  dies_after(60s);
  dies_after(60s);
  {
    fold_deaths deaths{file, now};
    ASSERT_TRUE(deaths.is_deadly("a"));
    deaths.forget("a");
    EXPECT_FALSE(deaths.is_deadly("a"));
  }
  EXPECT_FALSE(fold_deaths(file, now).is_deadly("a"));
}

TEST_F(FoldDeaths, AFoldThatEndsResetsTheCount) {
  dies_after(60s);
  {
    fold_deaths deaths{file, now};
    deaths.began("a", now);
    deaths.ended();
  }
  dies_after(60s);
  EXPECT_FALSE(fold_deaths(file, now).is_deadly("a"));
}

TEST_F(FoldDeaths, AnUnreadableFileCountsNothing) {
  std::ofstream{file} << "nonsense\na\na b c\n\n-1 x\n" << std::string(100'000, 'y');
  EXPECT_FALSE(fold_deaths(file, now).is_deadly("a"));
  EXPECT_FALSE(fold_deaths("", now).is_deadly("a"));
  fold_deaths nowhere{home.path() + "/missing/folding", now};
  nowhere.began("a", now);
  nowhere.ended();
}

}  // namespace
}  // namespace tofud::serve
