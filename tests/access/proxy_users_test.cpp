#include "daemon/access/proxy_users.hpp"

#include <gtest/gtest.h>

namespace tofud::access {
namespace {

constexpr scopes reads{true, false, false}, sends{true, true, false};

const named_user alice{"10.0.0.1", "alice", "ops"}, bob{"10.0.0.1", "bob", "dev"};

bool everybody(const named_user&, const reach&) { return true; }

TEST(ProxyUsers, HaveTheirScopesAndAreNoOwner) {
  proxy_users all;
  const auto who = all.holder(alice, sends);
  EXPECT_EQ(who->who, "alice");
  EXPECT_EQ(who->how, principal::known_by::proxy);
  EXPECT_EQ(who->may, sends);
  EXPECT_FALSE(who->is_owner);
  ASSERT_TRUE(who->permit);
  EXPECT_TRUE(who->permit->empty());
}

TEST(ProxyUsers, UserWhoLosesAccessIsDisconnectedAlone) {
  proxy_users all;
  const auto first = all.holder(alice, reads)->permit, again = all.holder(alice, reads)->permit,
             other = all.holder(bob, reads)->permit;
  EXPECT_TRUE(
      all.review([](const named_user& who, const reach&) { return who.user != "alice"; }, reads));
  EXPECT_EQ(*first, "the access rules have changed");
  EXPECT_EQ(*again, *first);
  EXPECT_TRUE(other->empty());
  EXPECT_FALSE(
      all.review([](const named_user& who, const reach&) { return who.user != "alice"; }, reads));
  // What is opened under rules that come later is another matter.
  EXPECT_TRUE(all.holder(alice, reads)->permit->empty());
}

TEST(ProxyUsers, UserWhoLosesAScopeIsDisconnected) {
  proxy_users all;
  const auto may_send = all.holder(alice, sends)->permit, may_read = all.holder(bob, reads)->permit;
  EXPECT_TRUE(all.review(everybody, reads));
  EXPECT_FALSE(may_send->empty());
  EXPECT_TRUE(may_read->empty());
  EXPECT_FALSE(all.review(everybody, sends));
}

TEST(ProxyUsers, AConnectionMadeInBetweenIsClosedToo) {
  proxy_users all;
  const auto before = all.holder(alice, reads)->permit;
  all.review(everybody, sends);
  const auto after = all.holder(alice, sends)->permit;
  EXPECT_TRUE(all.review(everybody, reads));
  EXPECT_FALSE(after->empty());
}

TEST(ProxyUsers, AreRemovedWithTheirConnections) {
  proxy_users all;
  auto held = all.holder(alice, reads)->permit;
  all.holder(bob, reads);
  all.tidy();
  EXPECT_EQ(all.size(), 1U);
  held.reset();
  all.tidy();
  EXPECT_EQ(all.size(), 0U);
}

TEST(ProxyUsers, WhoReachesOtherRunsIsDisconnected) {
  proxy_users all;
  reach net;
  ASSERT_TRUE(net.add_stack("net/*").empty());
  const auto limited = all.holder(alice, reads, net);
  ASSERT_TRUE(limited->within);
  EXPECT_FALSE(limited->sees("pay/prod", {}));
  EXPECT_EQ(all.holder(bob, reads)->within, nullptr);
  EXPECT_TRUE(
      all.review([](const named_user&, const reach& had) { return had.stacks.empty(); }, reads));
  EXPECT_FALSE(limited->permit->empty());
}

}  // namespace
}  // namespace tofud::access
