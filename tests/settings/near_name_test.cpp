#include "daemon/settings/near_name.hpp"

#include <gtest/gtest.h>

namespace tofud::settings {
namespace {

TEST(NearName, IsTheNearestName) {
  const std::vector<std::string_view> names{"listen", "socket", "retain.days", "tls.cert", "tls"};
  EXPECT_EQ(near_name("lisen", names), "listen");
  EXPECT_EQ(near_name("sokcet", names), "socket");
  EXPECT_EQ(near_name("retain.dayz", names), "retain.days");
  EXPECT_EQ(near_name("tsl", names), "tls");
  EXPECT_EQ(near_name("days", names), "retain.days");
  EXPECT_EQ(near_name("http.listen", names), "listen");
  EXPECT_EQ(near_name("colour", names), "");
  EXPECT_EQ(near_name("", names), "");
  EXPECT_EQ(near_name(std::string(100'000, 'x'), names), "");
}

}  // namespace
}  // namespace tofud::settings
