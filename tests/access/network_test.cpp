#include "daemon/access/network.hpp"

#include <gtest/gtest.h>

namespace tofud::access {
namespace {

bool is_in(const char* where, const char* address) {
  const auto read = parse_network(where);
  EXPECT_TRUE(read) << where;
  return read && holds(*read, address);
}

TEST(Network, HoldsTheAddressesOfItsBits) {
  EXPECT_TRUE(is_in("10.1.0.0/16", "10.1.255.255"));
  EXPECT_FALSE(is_in("10.1.0.0/16", "10.2.0.0"));
  EXPECT_TRUE(is_in("10.1.2.3/16", "10.1.0.9"));  // bits beyond the network mean nothing
  EXPECT_TRUE(is_in("127.0.0.1", "127.0.0.1"));
  EXPECT_FALSE(is_in("127.0.0.1", "127.0.0.2"));
  EXPECT_TRUE(is_in("0.0.0.0/0", "8.8.8.8"));
  EXPECT_TRUE(is_in("fd00::/8", "fd12::1"));
  EXPECT_FALSE(is_in("fd00::/8", "fe80::1"));
  EXPECT_TRUE(is_in("::1", "::1"));
}

TEST(Network, NetworkHoldsAddressesOfItsFamilyOnly) {
  EXPECT_FALSE(is_in("0.0.0.0/0", "::1"));
  EXPECT_FALSE(is_in("::/0", "10.0.0.1"));
  EXPECT_TRUE(is_in("10.0.0.0/8", "::ffff:10.0.0.1"));
  EXPECT_FALSE(is_in("0.0.0.0/0", ""));
  EXPECT_FALSE(is_in("0.0.0.0/0", "nonsense"));
  EXPECT_TRUE(is_in("unix", ""));
  EXPECT_FALSE(is_in("unix", "127.0.0.1"));
}

TEST(Network, AnInvalidNetworkIsRefusedWithASentence) {
  for (const char* text : {"", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "::/129",
                           "fe80::1%lo/64", "localhost", "10.0.0.0/8/8", "UNIX", " 10.0.0.1"}) {
    const auto read = parse_network(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().text().find("is not a network"), std::string::npos);
  }
}

}  // namespace
}  // namespace tofud::access
