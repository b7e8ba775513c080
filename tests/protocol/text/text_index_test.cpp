#include "protocol/text/text_index.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace tofud::text {
namespace {

TEST(TextIndex, FindsWhatWasPutHoweverMuchThatIs) {
  text_index index;
  std::deque<std::string> texts;
  const auto text_of = [&](std::uint32_t number) -> std::string_view { return texts[number]; };
  EXPECT_FALSE(index.find("null_resource.r[0]", text_of));
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    texts.push_back("null_resource.r[" + std::to_string(i) + "]");
    index.put(texts.back(), i);
    ASSERT_EQ(index.find(std::string{texts.front()}, text_of), 0U) << i;
    ASSERT_EQ(index.find(std::string{texts.back()}, text_of), i);
  }
  for (std::uint32_t i = 0; i < texts.size(); ++i) ASSERT_EQ(index.find(texts[i], text_of), i);
  EXPECT_FALSE(index.find("null_resource.r[20000]", text_of));
  EXPECT_FALSE(index.find("", text_of));
}

}  // namespace
}  // namespace tofud::text
