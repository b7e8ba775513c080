#include "protocol/text/edit_distance.hpp"

#include <gtest/gtest.h>

namespace tofud::text {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("listen", "listen"), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("lisen", "listen"), 1U);
  EXPECT_EQ(edit_distance("lsiten", "listen"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

}  // namespace
}  // namespace tofud::text
