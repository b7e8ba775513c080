#include "daemon/oidc/rule.hpp"

#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/provider.hpp"

#include <gtest/gtest.h>

namespace tofud::oidc {
namespace {

rule made(const std::vector<std::string>& claims, std::vector<std::string> stacks) {
  rule one;
  for (const auto& each : claims) {
    const auto read = read_claim_pattern(each);
    EXPECT_TRUE(read) << each;
    if (read) one.claims.push_back(*read);
  }
  one.stacks = std::move(stacks);
  return one;
}

claims said(std::initializer_list<std::pair<const std::string, std::vector<std::string>>> all) {
  return claims{all};
}

std::string reached(const rule& by, const claims& of, bool without_case = false) {
  const auto got = reach_of(by, of, without_case);
  return got ? access::to_text(*got) : "nothing";
}

TEST(OidcRule, FitsWhereAllItsClaimsDo) {
  const auto by = made({"repository=acme/*", "ref=refs/heads/main"}, {"*"});
  EXPECT_FALSE(
      misfit(by, said({{"repository", {"acme/infra"}}, {"ref", {"refs/heads/main"}}}), false));
  EXPECT_EQ(misfit(by, said({{"repository", {"acme/infra"}}}), false)->claim, "ref");
  EXPECT_EQ(misfit(by, said({{"repository", {"evil/acme/x"}}, {"ref", {"refs/heads/main"}}}), false)
                ->claim,
            "repository");
  EXPECT_TRUE(
      misfit(by, said({{"repository", {"Acme/infra"}}, {"ref", {"refs/heads/main"}}}), false));
  EXPECT_FALSE(
      misfit(by, said({{"repository", {"Acme/infra"}}, {"ref", {"refs/heads/main"}}}), true));
  EXPECT_TRUE(
      misfit(by, said({{"repository", {"acme/infra"}}, {"ref", {"refs/heads/Main"}}}), true));
  EXPECT_FALSE(misfit(made({"groups=net"}, {"*"}), said({{"groups", {"all", "net"}}}), false));
}

TEST(OidcRule, PutsClaimsIntoStacksLiterally) {
  const auto by = made({"repository=acme/*"}, {"github.com/{repository}//*"});
  EXPECT_EQ(reached(by, said({{"repository", {"acme/infra"}}})), "github.com/acme/infra//*");
  for (const char* value :
       {"acme/*", "acme/..", "acme//x", "acme/in fra", "acme/{ref}", "acme/ä", "acme/a\"b"})
    EXPECT_EQ(reached(by, said({{"repository", {value}}})), "nothing") << value;
  EXPECT_EQ(reached(by, said({{"repository", {"a", "b"}}})), "nothing");
  EXPECT_EQ(reached(by, said({})), "nothing");
  const auto several = made({"sub=x"}, {"{a}/*", "{b}/{a}", "plain"});
  EXPECT_EQ(reached(several, said({{"a", {"1"}}})), "1/*, plain");
  EXPECT_EQ(reached(several, said({{"a", {"1"}}, {"b", {"2"}}})), "1/*, 2/1, plain");
}

TEST(OidcRule, NamesOfGithubAreTheSameInAnyCase) {
  const auto by = made({"repository=acme/*"}, {"github.com/{repository}//*"});
  const auto facts = said({{"repository", {"Acme/Infra"}}});
  EXPECT_TRUE(reach_of(by, facts, true)->holds("github.com/acme/infra//prod"));
  EXPECT_FALSE(reach_of(by, facts, false)->holds("github.com/acme/infra//prod"));
  // What the administrator wrote is compared as it is.
  EXPECT_FALSE(reach_of(made({"repository=acme/*"}, {"net/*"}), facts, true)->holds("NET/x"));
}

TEST(OidcRule, IsReadFromText) {
  for (const char* text : {"", "a", "=b", "a=", "a b=c", "{a}=b"})
    EXPECT_TRUE(read_claim_pattern(text).error().is(error::bad_claim_pattern)) << text;
  for (const char* text : {"a=*", "a=**", "a=*/*"})
    EXPECT_TRUE(read_claim_pattern(text).error().is(error::any_claim)) << text;
  EXPECT_EQ(read_claim_pattern("a=b=c")->pattern, "b=c");
  for (const char* text : {"", "{", "}", "a}", "{}", "{a b}", "a b", "{a{b}}"})
    EXPECT_FALSE(read_stack_template(text)) << text;
  for (const char* text : {"*", "a", "{a}", "x/{a}/{b}//*"})
    EXPECT_TRUE(read_stack_template(text)) << text;
}

TEST(OidcRule, HasToSayWhoItIs) {
  for (const char* claim : {"repository=acme/*", "sub=repo:acme/*", "repository_owner_id=7",
                            "groups=net", "kubernetes.io.namespace=ci"})
    EXPECT_TRUE(check_identity(made({claim}, {"*"})).empty()) << claim;
  for (const char* claim :
       {"ref=refs/heads/main", "environment=prod", "repository=*/infra", "iss=x", "actor=jane",
        "job_workflow_ref=acme/ci/.github/workflows/x.yml@main"})
    EXPECT_TRUE(check_identity(made({claim}, {"*"})).is(error::no_identity)) << claim;
}

TEST(OidcRule, IsWarnedOfWhereEveryBranchMaySend) {
  auto by = made({"repository=acme/*"}, {"*"});
  EXPECT_EQ(warning_about(by), "");
  by.may.ingest = true;
  EXPECT_NE(warning_about(by), "");
  for (const char* claim : {"ref=refs/heads/main", "environment=prod", "event_name=push",
                            "sub=repo:a/b:ref:refs/heads/main"}) {
    auto other = made({"repository=acme/*", claim}, {"*"});
    other.may.ingest = true;
    EXPECT_EQ(warning_about(other), "") << claim;
  }
  auto any = made({"sub=repo:acme/infra:*"}, {"*"});
  any.may.ingest = true;
  EXPECT_NE(warning_about(any), "");
}

TEST(OidcProvider, IsNamedByAnHttpsAddress) {
  for (const char* text :
       {"https://token.actions.githubusercontent.com", "https://gitlab.example.com:8443/",
        "https://x.example.com/realms/ci", "https://[::1]:9"})
    EXPECT_EQ(*read_issuer(text), text);
  for (const char* text : {"", "http://x", "https://", "x", "https://x?y", "https://x#y",
                           "https://a@b", "https://a b"})
    EXPECT_TRUE(read_issuer(text).error().is(error::bad_issuer)) << text;
  EXPECT_TRUE(is_github("https://token.actions.githubusercontent.com"));
  EXPECT_TRUE(is_github("https://token.actions.githubusercontent.com/acme"));
  EXPECT_FALSE(is_github("https://token.actions.githubusercontent.com.evil.example"));
}

}  // namespace
}  // namespace tofud::oidc
