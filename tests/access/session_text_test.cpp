#include "daemon/access/session_text.hpp"

#include "daemon/access/sessions.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tofud::access {
namespace {

const time now{std::chrono::seconds{1'800'000'000}};

principal jane() {
  principal who;
  who.how = principal::known_by::issuer;
  who.who = "jane";
  who.may = {true, false, true};
  reach within;
  within.add_stack("net/*");
  within.add_label("team=net");
  within.is_case_sensitive = false;
  who.within = std::make_shared<const reach>(within);
  who.ends_at = now + std::chrono::hours{1};
  who.verified = std::make_shared<const feed::verified_facts>(
      feed::verified_facts{"https://issuer", "sub", "repo", "ref", "jane"});
  return who;
}

TEST(SessionText, SaysEverythingThatCounts) {
  const auto read = parse_session(to_text({jane(), now, true}));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->is_ticket);
  EXPECT_EQ(read->since, now);
  EXPECT_EQ(read->by.how, principal::known_by::issuer);
  EXPECT_EQ(read->by.who, "jane");
  EXPECT_EQ(read->by.may, jane().may);
  EXPECT_EQ(*read->by.within, *jane().within);
  EXPECT_EQ(read->by.ends_at, jane().ends_at);
  EXPECT_EQ(read->by.verified->issuer, "https://issuer");
  EXPECT_EQ(read->by.token_id, "");
  EXPECT_FALSE(read->by.is_owner);
}

TEST(SessionText, OfATokenNamesIt) {
  principal who = jane();
  who.token_id = "0a1b2c3d";
  who.within = nullptr;
  who.verified = nullptr;
  const auto read = parse_session(to_text({who, now, false}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->by.token_id, "0a1b2c3d");
  EXPECT_EQ(read->by.within, nullptr);
}

TEST(SessionText, ThatIsNoneIsRefused) {
  for (const char* wrong : {"", "{", "{}", R"({"who":{}})", R"({"how":"queen","who":{}})"})
    EXPECT_FALSE(parse_session(wrong)) << wrong;
}

TEST(SessionText, ASessionIsOneOnBothSidesUntilItIsOverOnOne) {
  sessions here, there;
  std::map<std::string, std::string> told;
  here.tell([&](const std::string& hash, std::string text) { told[hash] = std::move(text); });
  const std::string cookie = here.begin(jane(), now);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.begin()->second.find(cookie), std::string::npos);
  const auto permit = std::make_shared<std::string>();
  there.adopt(told.begin()->first, *parse_session(told.begin()->second), permit);
  ASSERT_NE(there.find(cookie, now), nullptr);
  EXPECT_EQ(there.find(cookie, now)->who, "jane");
  EXPECT_FALSE(there.find(cookie, now)->is_owner);
  here.end(cookie);
  EXPECT_EQ(told.begin()->second, "");
  there.end_of(told.begin()->first);
  EXPECT_EQ(there.find(cookie, now), nullptr);
  EXPECT_TRUE(there.refresh(now));
}

TEST(SessionText, ASessionEndsWithItsTokenElsewhereToo) {
  sessions there;
  const auto permit = std::make_shared<std::string>();
  there.adopt("hash", {jane(), now, false}, permit);
  EXPECT_EQ(there.size(), 1U);
  *permit = "the token was revoked";
  EXPECT_TRUE(there.refresh(now));
  EXPECT_EQ(there.size(), 0U);
}

TEST(SessionText, ATicketIsRedeemedOnceWhereverItWasMade) {
  sessions here, there;
  std::map<std::string, std::string> told;
  here.tell([&](const std::string& hash, std::string text) { told[hash] = std::move(text); });
  const std::string offered = here.offer(jane(), now);
  there.adopt(told.begin()->first, *parse_session(told.begin()->second), nullptr);
  there.tell([&](const std::string& hash, std::string text) {
    if (text.empty()) here.end_of(hash);
  });
  EXPECT_TRUE(there.redeem(offered, now));
  EXPECT_FALSE(here.redeem(offered, now));
  told.clear();
  here.offer(jane(), now, 1000U);
  EXPECT_TRUE(told.empty()) << "a user of this machine is known to no other";
}

}  // namespace
}  // namespace tofud::access
