#include "protocol/feed/causes.hpp"

#include <gtest/gtest.h>

namespace tofud::feed {
namespace {

TEST(Causes, AreNamedTwoAtATimeAndCounted) {
  EXPECT_EQ(in_words({}), "");
  EXPECT_EQ(in_words({{"a.b"}, 0}), "a.b");
  EXPECT_EQ(in_words({{"a.b", "a.c"}, 0}), "a.b and a.c");
  EXPECT_EQ(in_words({{"a.b", "a.c", "a.d"}, 0}), "a.b, a.c and 1 more");
  EXPECT_EQ(in_words({{"a.b", "a.c", "a.d"}, 4}, 3), "a.b, a.c, a.d and 4 more");
  EXPECT_EQ(in_words({{"a.b[*]", "a.c"}, 0}, 1), "a.b[*] and 1 more");
}

TEST(Causes, ThatAreNotNamedAreCounted) { EXPECT_EQ(in_words({{}, 512}), "about 512 operations"); }

}  // namespace
}  // namespace tofud::feed
