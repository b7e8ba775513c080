#include "daemon/net/listener_owner.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <unistd.h>

namespace tofud::net {
namespace {

using tcp = boost::asio::ip::tcp;

TEST(ListenerOwner, IsTheUserWhoListensThere) {
  boost::asio::io_context io{1};
  for (const char* address : {"127.0.0.1", "::1"}) {
    boost::system::error_code failed;
    tcp::acceptor listening{io};
    const tcp::endpoint any{boost::asio::ip::make_address(address), 0};
    listening.open(any.protocol(), failed);
    if (!failed) listening.bind(any, failed);
    if (failed) continue;  // a machine without IPv6
    listening.listen();
    EXPECT_EQ(owner_of_listener(listening.local_endpoint()), ::geteuid()) << address;
    EXPECT_EQ(distrust_of_listener(listening.local_endpoint()), "") << address;
  }
}

TEST(ListenerOwner, UnusedPortHasNoOwner) {
  boost::asio::io_context io{1};
  tcp::acceptor listening{io, {boost::asio::ip::address_v4::loopback(), 0}};
  const auto at = listening.local_endpoint();
  listening.close();
  EXPECT_FALSE(owner_of_listener(at));
  EXPECT_EQ(distrust_of_listener(at), "");
}

}  // namespace
}  // namespace tofud::net
