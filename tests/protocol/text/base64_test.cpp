#include "protocol/text/base64.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::text {
namespace {

// The vectors of RFC 4648, section 10.
TEST(Base64, WritesAndReadsWhatItsStandardGives) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, KeepsEveryByte) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (std::size_t length = 0; length <= all.size(); ++length)
    EXPECT_EQ(from_base64(to_base64(all.substr(0, length))), all.substr(0, length));
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text :
       {"Zg", "Zg=", "Z", "Zm9v\n", "Zm9*", "Z===", "====", "Zg==Zg==", "Zm9v-_"})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace tofud::text
