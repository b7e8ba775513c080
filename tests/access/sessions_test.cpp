#include "daemon/access/sessions.hpp"

#include "daemon/access/limits.hpp"

#include <gtest/gtest.h>

namespace tofud::access {
namespace {

const time noon{std::chrono::hours{1'000'000}};

principal holder(std::shared_ptr<const std::string> permit = nullptr) {
  return {principal::known_by::token, "ci", {true, false, false}, true, std::move(permit)};
}

TEST(LoginSessions, HaveTheScopesOfTheirTokenAndAreNoOwner) {
  sessions all;
  const auto found = all.find(all.begin(holder(), noon), noon);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->may, (scopes{true, false, false}));
  EXPECT_FALSE(found->is_owner);
  EXPECT_EQ(found->how, principal::known_by::session);
  EXPECT_EQ(all.find("", noon), nullptr);
  EXPECT_EQ(all.find(std::string(64, '0'), noon), nullptr);
}

TEST(LoginSessions, EndWithTheirToken) {
  sessions all;
  const auto over = std::make_shared<std::string>();
  const std::string cookie = all.begin(holder(over), noon);
  const auto permit = all.find(cookie, noon)->permit;
  EXPECT_FALSE(all.refresh(noon));
  *over = "the token was revoked";
  EXPECT_EQ(all.find(cookie, noon), nullptr);
  EXPECT_TRUE(all.refresh(noon));
  EXPECT_EQ(*permit, "the token was revoked");
  EXPECT_FALSE(all.refresh(noon));
}

TEST(LoginSessions, EndByThemselvesAndWhenTheyAreEnded) {
  sessions all;
  const std::string one = all.begin(holder(), noon), other = all.begin(holder(), noon);
  const auto permit = all.find(one, noon)->permit;
  EXPECT_TRUE(all.end(one));
  EXPECT_FALSE(all.end(one));
  EXPECT_EQ(*permit, "the session was ended");
  EXPECT_TRUE(all.refresh(noon));
  const auto late = noon + limits::session_age;
  EXPECT_TRUE(all.find(other, late - std::chrono::seconds{1}));
  EXPECT_EQ(all.find(other, late), nullptr);
}

TEST(LoginSessions, TheOldestEndsForANewOne) {
  sessions all;
  const std::string first = all.begin(holder(), noon);
  std::string last;
  for (std::size_t i = 0; i < limits::sessions; ++i) {
    last = all.begin(holder(), noon + std::chrono::seconds{1});
  }
  EXPECT_EQ(all.size(), limits::sessions);
  EXPECT_EQ(all.find(first, noon), nullptr);
  EXPECT_TRUE(all.find(last, noon));
}

TEST(LoginSessions, ATicketIsAcceptedOnce) {
  sessions all;
  const std::string ticket = all.offer(holder(), noon);
  const auto cookie = all.redeem(ticket, noon);
  ASSERT_TRUE(cookie);
  EXPECT_TRUE(all.find(*cookie, noon));
  EXPECT_FALSE(all.redeem(ticket, noon));
  EXPECT_FALSE(all.redeem(*cookie, noon));
  EXPECT_EQ(all.find(ticket, noon), nullptr);
}

TEST(LoginSessions, ATicketExpiresSoonAndWithItsToken) {
  sessions all;
  EXPECT_FALSE(all.redeem(all.offer(holder(), noon), noon + limits::login_link_age));
  const auto over = std::make_shared<std::string>();
  const std::string ticket = all.offer(holder(over), noon);
  *over = "the token was revoked";
  EXPECT_FALSE(all.redeem(ticket, noon));
  std::string first = all.offer(holder(), noon - std::chrono::seconds{1});
  for (std::size_t i = 0; i < limits::login_links; ++i) all.offer(holder(), noon);
  EXPECT_FALSE(all.redeem(first, noon));
}

}  // namespace
}  // namespace tofud::access
