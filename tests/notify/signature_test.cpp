#include "daemon/notify/signature.hpp"

#include <gtest/gtest.h>

namespace tofud::notify {
namespace {

// The example of the specification of Standard Webhooks.
TEST(Signature, OfAWebhookIsThatOfTheSpecification) {
  const auto key = webhook_key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  ASSERT_TRUE(key);
  EXPECT_EQ(key->size(), 24U);
  EXPECT_EQ(webhook_signature(*key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                              R"({"test": 2432232314})"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(Signature, ASecretIsBase64OfEnoughBytes) {
  EXPECT_TRUE(webhook_key("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
  EXPECT_EQ(webhook_key("whsec_" + std::string(44, 'A'))->size(), 33U);
  EXPECT_EQ(webhook_key("whsec_" + std::string(43, 'A') + "=")->size(), 32U);
  for (const char* text : {"", "whsec_", "whsec_short===", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
                           "whsec_####AAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    EXPECT_FALSE(webhook_key(text)) << text;
  EXPECT_FALSE(webhook_key("whsec_" + std::string(200, 'A')));
}

// RFC 4231, test case 2.
TEST(Signature, OfHcpIsHmacSha512) {
  EXPECT_EQ(
      hcp_signature("Jefe", "what do ya want for nothing?"),
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8"
      "f0e6fdcaeab1a34d4a6b4b636e070a38bce737");
}

}  // namespace
}  // namespace tofud::notify
