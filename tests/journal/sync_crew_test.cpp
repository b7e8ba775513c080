#include "daemon/journal/sync_crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace tofud::journal {
namespace {

TEST(SyncCrew, WorksOnEveryNumberOnceAndReturnsWhenAllAreDone) {
  sync_crew crew{3};
  for (const std::size_t count : {0UL, 1UL, 2UL, 3UL, 200UL}) {
    for (int again = 0; again < 50; ++again) {
      std::vector<std::atomic<int>> worked(count);
      crew.each(count, [&](std::size_t number) { ++worked[number]; });
      for (const auto& times : worked) EXPECT_EQ(times, 1);
    }
  }
}

TEST(SyncCrew, OneWithoutHelpersDoesItAllTheSame) {
  sync_crew alone{0};
  int worked = 0;
  alone.each(5, [&](std::size_t /*number*/) { ++worked; });
  EXPECT_EQ(worked, 5);
}

}  // namespace
}  // namespace tofud::journal
