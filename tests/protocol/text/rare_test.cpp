#include "protocol/text/rare.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::text {
namespace {

TEST(Rare, IsTheDefaultUntilSomethingIsPutIntoIt) {
  rare<std::string> text;
  EXPECT_TRUE(text.is_default());
  EXPECT_EQ(*text, "");
  text = std::string{"a"};
  EXPECT_FALSE(text.is_default());
  EXPECT_EQ(text->size(), 1U);
  text = std::string{};
  EXPECT_TRUE(text.is_default());
}

TEST(Rare, IsCopiedAsAValue) {
  rare<std::string> one{std::string{"a"}};
  rare<std::string> other = one;
  one = std::string{"b"};
  EXPECT_EQ(*other, "a");
  EXPECT_FALSE(one == other);
  other = one;
  EXPECT_TRUE(one == other);
  other = rare<std::string>{};
  EXPECT_TRUE(other.is_default());
  EXPECT_EQ(*one, "b");
}

}  // namespace
}  // namespace tofud::text
