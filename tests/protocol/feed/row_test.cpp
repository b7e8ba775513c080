#include "protocol/feed/row.hpp"

#include <gtest/gtest.h>

namespace tofud::feed {
namespace {

TEST(Label, IsSplitAtTheFirstEqualsSign) {
  const auto found = parse_label("query=a=b");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, "query");
  EXPECT_EQ(found->value, "a=b");
}

TEST(Label, MayHaveNoValueButHasAKey) {
  const auto found = parse_label("pr=");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, "pr");
  EXPECT_EQ(found->value, "");
  for (const auto* text : {"", "=", "=value", "pr"}) EXPECT_FALSE(parse_label(text)) << text;
}

}  // namespace
}  // namespace tofud::feed
