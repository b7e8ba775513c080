#include "protocol/upload/placement.hpp"

#include <gtest/gtest.h>

using namespace tofud::upload;

namespace {

TEST(Placement, BytesAtTheEndOfTheJournalAreAllNew) {
  const auto where = place({100, false}, 100, 20);
  EXPECT_EQ(where.what, verdict::store);
  EXPECT_EQ(where.known, 0U);
}

TEST(Placement, BytesThatOverlapAreComparedAsFarAsTheyDo) {
  const auto where = place({100, false}, 90, 20);
  EXPECT_EQ(where.what, verdict::store);
  EXPECT_EQ(where.known, 10U);
}

TEST(Placement, BytesThatAreAllThereAreComparedAltogether) {
  const auto where = place({100, false}, 10, 20);
  EXPECT_EQ(where.what, verdict::store);
  EXPECT_EQ(where.known, 20U);
}

TEST(Placement, BytesBehindTheEndLeaveAGap) {
  EXPECT_EQ(place({100, false}, 101, 20).what, verdict::gap);
  EXPECT_EQ(place({100, false}, 101, 0).what, verdict::gap);
}

TEST(Placement, NothingAtTheEndIsAKeepAlive) {
  const auto where = place({100, false}, 100, 0);
  EXPECT_EQ(where.what, verdict::store);
  EXPECT_EQ(where.known, 0U);
}

TEST(Placement, ACompleteStreamAcceptsOnlyBytesItHas) {
  EXPECT_EQ(place({100, true}, 90, 10).what, verdict::store);
  EXPECT_EQ(place({100, true}, 100, 0).what, verdict::store);
  const auto more = place({100, true}, 90, 11);
  EXPECT_EQ(more.what, verdict::complete);
  EXPECT_EQ(more.known, 10U);
}

TEST(Placement, OffsetsAtTheEndOfNumbersDoNotWrap) {
  EXPECT_EQ(place({100, false}, ~0ULL, 2).what, verdict::gap);
}

}  // namespace
