// Whose runs are counted together.
#include "daemon/serve/sender.hpp"

#include "daemon/access/principal.hpp"
#include "daemon/http/listener.hpp"

#include <gtest/gtest.h>

namespace tofud::serve {
namespace {

using access::principal;

std::string sender(std::string address, principal::known_by how, std::string who = "ci") {
  http::listener_options counted_by;
  counted_by.is_proxy = [](const boost::asio::ip::address& peer) {
    return peer.to_string() == "10.0.0.1";
  };
  http::request asked;
  asked.from.address = std::move(address);
  auto by = std::make_shared<principal>();
  by->how = how;
  by->who = std::move(who);
  asked.by = std::move(by);
  return sender_of(asked, counted_by);
}

constexpr auto token = principal::known_by::token;

TEST(Sender, IsTheMachineItComesFrom) {
  EXPECT_EQ(sender("192.0.2.7", token), sender("192.0.2.7", token, "another"));
  EXPECT_NE(sender("192.0.2.7", token), sender("192.0.2.8", token));
  EXPECT_FALSE(sender("192.0.2.7", principal::known_by::nobody).empty());
}

TEST(Sender, KeyIsIpv6Prefix64) {
  EXPECT_EQ(sender("2001:db8::1", token), sender("2001:db8::ffff", token));
  EXPECT_NE(sender("2001:db8::1", token), sender("2001:db8:0:1::1", token));
}

TEST(Sender, KeyBehindASharedAddressIsTheNamedUser) {
  for (const char* address : {"127.0.0.1", "::1", "10.0.0.1", "", "unknown"}) {
    EXPECT_EQ(sender(address, token), "token ci") << address;
    EXPECT_EQ(sender(address, principal::known_by::proxy, "alice"), "user alice") << address;
    EXPECT_NE(sender(address, token, "a"), sender(address, token, "b")) << address;
  }
}

TEST(Sender, LocalSenderWithoutTokenIsNotCounted) {
  for (const char* address : {"127.0.0.1", "::1", ""}) {
    EXPECT_EQ(sender(address, principal::known_by::owner), "") << address;
  }
}

TEST(Sender, KeyAtTheSocketIsTheUser) {
  http::peer from;
  EXPECT_EQ(sender_of(from), "an unknown user");
  from.uid = 1001;
  EXPECT_EQ(sender_of(from), "uid 1001");
  from.is_ours = true;
  EXPECT_EQ(sender_of(from), "");
}

}  // namespace
}  // namespace tofud::serve
