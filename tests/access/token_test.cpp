#include "daemon/access/token.hpp"

#include "protocol/text/sha256.hpp"

#include <gtest/gtest.h>

namespace tofud::access {
namespace {

const time noon{std::chrono::sys_days{std::chrono::November / 21 / 2026} + std::chrono::hours{12}};

TEST(Token, IsStoredWithoutItsSecret) {
  const auto made = make_token("ci", {true, true, false}, noon, std::nullopt);
  const auto text = parse_token_text(made.text);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->id, made.kept.id);
  EXPECT_EQ(made.kept.secret_hash, text::sha256_hex(text->secret));
  EXPECT_EQ(to_line(made.kept).find(text->secret), std::string::npos);
  EXPECT_NE(make_token("ci", {}, noon, std::nullopt).text, made.text);
}

TEST(Token, ComesBackFromItsLine) {
  auto made = make_token("a \"name\"\n", {true, false, true}, noon, noon + std::chrono::hours{1});
  EXPECT_EQ(*parse_token_line(to_line(made.kept)), made.kept);
  made.kept.revoked = true;
  made.kept.expires_at.reset();
  EXPECT_EQ(*parse_token_line(to_line(made.kept)), made.kept);
}

TEST(Token, WhatItReachesComesBackAndCanNotBecomeMore) {
  reach some;
  ASSERT_TRUE(some.add_stack("net/*").empty() && some.add_stack("dns/\"x\"").empty());
  ASSERT_TRUE(some.add_label("team=net").empty());
  const auto made = make_token("ci", {true, false, false}, noon, std::nullopt, some);
  const std::string good = to_line(made.kept);
  ASSERT_TRUE(parse_token_line(good));
  EXPECT_EQ(*parse_token_line(good), made.kept);
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string line = good;
    return line.replace(line.find(part), part.size(), other);
  };
  // What can't be read is no token, rather than one that reaches everything.
  for (const std::string& line :
       {with("\"net/*\"", "7"), with("\"net/*\"", "\"\""),
        with("[\"dns/\\\"x\\\"\",\"net/*\"]", "[]"),
        with("[\"dns/\\\"x\\\"\",\"net/*\"]", "\"net/*\""), with("{\"team\":\"net\"}", "{}"),
        with("\"team\":\"net\"", "\"team\":1"), with("{\"team\":\"net\"}", "null")}) {
    EXPECT_FALSE(parse_token_line(line)) << line;
  }
}

TEST(Token, ALineThatCanNotBeReadIsNoToken) {
  const std::string good = to_line(make_token("", {true, false, false}, noon, noon).kept);
  ASSERT_TRUE(parse_token_line(good));
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string line = good;
    return line.replace(line.find(part), part.size(), other);
  };
  for (const std::string& line :
       {std::string{}, std::string{"[]"}, good + "x",
        with("\"revoked\":false", "\"revoked\":\"no\""),
        with("\"expires_at\":\"2026", "\"expires_at\":\"soon"),
        with("\"scopes\":\"read\"", "\"scopes\":\"\""), with("\"sha256\":\"", "\"sha256\":\"0"),
        with("\"id\":\"", "\"id\":\"x")}) {
    EXPECT_FALSE(parse_token_line(line)) << line;
  }
}

TEST(Token, IsOneSpellingOnly) {
  const std::string good = "tofud_0123abcd_" + std::string(64, 'e');
  EXPECT_TRUE(parse_token_text(good));
  EXPECT_TRUE(holds_token("x" + good + "y"));
  for (const std::string& text : {good + "e", good.substr(1), "Tofud" + good.substr(5),
                                  "tofud_0123ABCD_" + std::string(64, 'e'), std::string{},
                                  "tofud-0123abcd_" + std::string(64, 'e')}) {
    EXPECT_FALSE(parse_token_text(text)) << text;
  }
  EXPECT_FALSE(holds_token("tofud_0123abcd_" + std::string(63, 'e')));
}

TEST(Token, LifetimesHaveAUnit) {
  EXPECT_EQ(*parse_lifetime("90d"), std::chrono::hours{90 * 24});
  EXPECT_EQ(*parse_lifetime("12h"), std::chrono::hours{12});
  EXPECT_EQ(*parse_lifetime("30m"), std::chrono::minutes{30});
  EXPECT_LT(noon, noon + *parse_lifetime("4294967295d"));
  for (const char* text :
       {"", "d", "90", "0d", "-1d", "1.5d", "90 d", "90D", "1y", "4294967296d"}) {
    EXPECT_FALSE(parse_lifetime(text)) << text;
  }
}

TEST(Token, ThoseThatEndWithinTwoWeeksEndSoon) {
  std::vector<token> all;
  const auto add = [&](const char* name, std::optional<time> end) {
    all.push_back(make_token(name, {true, false, false}, noon, end).kept);
  };
  add("never", std::nullopt);
  add("later", noon + std::chrono::hours{14 * 24});
  add("soon", noon + std::chrono::hours{14 * 24 - 1});
  add("sooner", noon + std::chrono::hours{1});
  add("over", noon);
  add("revoked", noon + std::chrono::hours{1});
  all.back().revoked = true;
  std::string names;
  for (const token& each : ending_soon(all, noon)) names += each.name + " ";
  EXPECT_EQ(names, "sooner soon ");
}

}  // namespace
}  // namespace tofud::access
