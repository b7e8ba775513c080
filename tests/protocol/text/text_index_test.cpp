#include "protocol/text/text_index.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace tofud::text {
namespace {

TEST(TextIndex, FindsWhatWasPutHoweverMuchThatIs) {
  text_index index;
  std::deque<std::string> texts;
  EXPECT_FALSE(index.find("null_resource.r[0]"));
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    texts.push_back("null_resource.r[" + std::to_string(i) + "]");
    index.put(texts.back(), i);
    ASSERT_EQ(index.find(std::string{texts.front()}), 0U) << i;
    ASSERT_EQ(index.find(std::string{texts.back()}), i);
  }
  for (std::uint32_t i = 0; i < texts.size(); ++i) ASSERT_EQ(index.find(texts[i]), i);
  EXPECT_FALSE(index.find("null_resource.r[20000]"));
  EXPECT_FALSE(index.find(""));
}

TEST(TextIndex, KeepsTheFirstNumber) {
  text_index index;
  index.put("a", 1);
  index.put("a", 2);
  EXPECT_EQ(index.find("a"), 1U);
}

}  // namespace
}  // namespace tofud::text
