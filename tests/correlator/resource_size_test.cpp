#include "daemon/correlator/resource_state.hpp"

#include <gtest/gtest.h>

namespace tofud::correlator {
namespace {

TEST(ResourceSize, StaysSmallSinceThereMayBeAMillion) {
  EXPECT_LE(sizeof(resource_state), 288U) << "see decision 0047 before this grows";
  EXPECT_LE(sizeof(feed::step), 80U);
  EXPECT_LE(sizeof(feed::provisioner), 40U);
}

}  // namespace
}  // namespace tofud::correlator
