// Whatever a network and a daemon do to requests, the daemon ends with the stream's bytes.
#include "tests/forward/rough_journey.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tofud::forward {
namespace {

TEST(AnyDaemon, HasTheStreamByteForByteInTheEnd) {
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    std::mt19937 draw{seed};
    rough_journey journey{[&draw](std::size_t below) {
      return std::uniform_int_distribution<std::size_t>{0, below - 1}(draw);
    }};
    journey.travel();
    ASSERT_EQ(journey.fault(), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace tofud::forward
