#include "protocol/text/percent.hpp"

#include <gtest/gtest.h>

namespace tofud::feed {
namespace {

TEST(Percent, DecodedOnlyWhereTwoDigitsFollow) {
  EXPECT_EQ(text::percent_decoded("a%2Fb%20c+d"), "a/b c+d");
  EXPECT_EQ(text::percent_decoded(""), "");
  EXPECT_FALSE(text::percent_decoded("%"));
  EXPECT_FALSE(text::percent_decoded("%2"));
  EXPECT_FALSE(text::percent_decoded("%zz"));
  EXPECT_FALSE(text::percent_decoded("%+1"));
  EXPECT_FALSE(text::percent_decoded("% 1"));
}

TEST(Percent, EncodedComesBackAsItWas) {
  std::string all;
  for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  std::string encoded = "/";
  text::append_percent_encoded(encoded, all);
  EXPECT_EQ(text::percent_decoded(encoded), "/" + all);
  EXPECT_EQ(encoded.find_first_of(" \"<>&?#[]+"), std::string::npos);
}

}  // namespace
}  // namespace tofud::feed
