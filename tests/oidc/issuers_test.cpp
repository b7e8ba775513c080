#include "daemon/oidc/issuers.hpp"

#include "daemon/oidc/errors.hpp"

#include <gtest/gtest.h>

namespace tofud::oidc {
namespace {

using namespace std::chrono_literals;

const access::time now{std::chrono::seconds{1'800'000'000}};

claims facts(std::initializer_list<std::pair<std::string, std::string>> more = {}) {
  claims all{
      {"iss", {"https://i"}},  {"sub", {"job"}},        {"aud", {"https://us", "https://them"}},
      {"exp", {"1800000300"}}, {"nbf", {"1800000000"}}, {"repository", {"acme/infra"}},
      {"actor", {"jane"}}};
  for (const auto& [name, value] : more) {
    if (value.empty()) {
      all.erase(name);
    } else {
      all[name] = {value};
    }
  }
  return all;
}

rule rule_for(std::string name, std::string claim, std::string pattern, std::string stack) {
  rule one;
  one.name = std::move(name);
  one.claims = {{std::move(claim), std::move(pattern)}};
  one.may.read = true;
  one.stacks = {std::move(stack)};
  return one;
}

provider provider_for(std::string audience, std::vector<rule> rules) {
  provider one;
  one.issuer = "https://i";
  one.audience = std::move(audience);
  one.rules = std::move(rules);
  return one;
}

std::vector<provider> providers() {
  return {provider_for("https://other", {rule_for("0", "sub", "job", "*")}),
          provider_for("https://us", {rule_for("1", "repository", "acme/net", "net/*"),
                                      rule_for("2", "repository", "acme/*", "acme/*"),
                                      rule_for("3", "sub", "job", "*")})};
}

TEST(Issuers, TheFirstRuleThatFitsIsTaken) {
  const auto all = providers();
  const auto given = allowed_by(all, facts(), now);
  ASSERT_TRUE(given) << given.error().text();
  EXPECT_EQ(given->by->name, "2");
  EXPECT_EQ(access::to_text(given->within), "acme/*");
  EXPECT_EQ(given->facts.actor, "jane");
  EXPECT_EQ(given->ends_at, now + 300s + 60s);  // the clocks may differ
  EXPECT_EQ(allowed_by(all, facts({{"repository", "acme/net"}}), now)->by->name, "1");
  EXPECT_EQ(allowed_by(all, facts({{"repository", "x/y"}}), now)->by->name, "3");
}

TEST(Issuers, ALoginIsForTheClientAndABearerTokenForTheAudience) {
  auto all = providers();
  all[1].client_id = "https://them";
  EXPECT_TRUE(allowed_by(all, facts(), now, comes_with::login));
  EXPECT_FALSE(allowed_by(all, facts({{"aud", "https://us"}}), now, comes_with::login));
  EXPECT_FALSE(allowed_by(all, facts({{"aud", "https://them"}}), now));
  all[1].audience.clear();
  EXPECT_TRUE(allowed_by(all, facts(), now).error().is(error::other_audience));
}

TEST(Issuers, SayWhyATokenIsRefused) {
  const auto all = providers();
  const auto why = [&](std::initializer_list<std::pair<std::string, std::string>> more) {
    const auto given = allowed_by(all, facts(more), now);
    return given ? text::failure{} : given.error();
  };
  EXPECT_TRUE(why({{"iss", "https://x"}}).is(error::other_issuer));
  EXPECT_TRUE(why({{"aud", "https://x"}}).is(error::other_audience));
  EXPECT_TRUE(why({{"sub", ""}}).is(error::no_subject));
  EXPECT_TRUE(why({{"exp", ""}}).is(error::no_end));
  EXPECT_TRUE(why({{"exp", "1e999"}}).is(error::no_end));
  EXPECT_TRUE(why({{"exp", "1799999940"}}).is(error::ended));
  EXPECT_TRUE(why({{"exp", "1799999941"}}).empty());
  EXPECT_TRUE(why({{"nbf", "1800000061"}}).is(error::not_yet));
  EXPECT_TRUE(why({{"nbf", "1800000060"}}).empty());
  EXPECT_TRUE(why({{"sub", "x"}, {"repository", "x/y"}}).is(error::no_rule));
}

TEST(Issuers, ExplainEachRule) {
  EXPECT_EQ(explained(providers(), facts()),
            (std::vector<std::string>{"0: does not fit: the token is not for https://other",
                                      "1: does not fit: its claim repository is not acme/net",
                                      "2: fits", "3: fits"}));
}

TEST(Issuers, FactsHaveOneNameWhoeverIssuedThem) {
  EXPECT_EQ(facts_in({{"iss", {"i"}},
                      {"sub", {"s"}},
                      {"project_path", {"g/p"}},
                      {"ref", {"main"}},
                      {"user_login", {"jo"}}}),
            (feed::verified_facts{"i", "s", "g/p", "main", "jo"}));
}

}  // namespace
}  // namespace tofud::oidc
