#include "daemon/client/private_address.hpp"

#include <gtest/gtest.h>

namespace tofud::client {
namespace {

bool judged(const char* text) { return is_private(boost::asio::ip::make_address(text)); }

TEST(PrivateAddress, IsAnyThatAnInsideMayHave) {
  for (const char* text :
       {"127.0.0.1",     "127.9.9.9",        "0.0.0.0",         "10.1.2.3",
        "172.16.0.1",    "172.31.255.255",   "192.168.1.1",     "169.254.169.254",
        "100.64.0.1",    "224.0.0.1",        "255.255.255.255", "::",
        "::1",           "fe80::1",          "fc00::1",         "fd12::1",
        "ff02::1",       "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
        "2002:7f00:1::", "2001:db8::1",      "::127.0.0.1",     "::ffff:0:127.0.0.1"})
    EXPECT_TRUE(judged(text)) << text;
}

TEST(PrivateAddress, IsNoneOfTheInternet) {
  for (const char* text : {"1.1.1.1", "172.32.0.1", "192.167.0.1", "8.8.8.8", "2606:4700::1111",
                           "::ffff:8.8.8.8", "64:ff9b::808:808"})
    EXPECT_FALSE(judged(text)) << text;
}

}  // namespace
}  // namespace tofud::client
