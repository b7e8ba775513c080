#include "daemon/access/rules.hpp"

#include <gtest/gtest.h>

namespace tofud::access {
namespace {

TEST(Rules, ABasePathLosesItsLastSlash) {
  EXPECT_EQ(*read_base_path("/tofud"), "/tofud");
  EXPECT_EQ(*read_base_path("/tools/tofud/"), "/tools/tofud");
  EXPECT_EQ(*read_base_path("/"), "");
  EXPECT_EQ(*read_base_path(""), "");
}

TEST(Rules, ABasePathIsOneThatABrowserLeavesAsItIs) {
  for (const char* text : {"tofud", "//", "/a//b", "/a/../b", "/..", "/.", "/a b", "/a?b", "/a#b",
                           "/a%2fb", "/ä", "/a;b", "http://x/"}) {
    EXPECT_FALSE(read_base_path(text)) << text;
  }
}

TEST(Rules, AHeadersNameIsComparedInLowerCase) {
  EXPECT_EQ(*read_header_name("Cf-Access-Authenticated-User-Email"),
            "cf-access-authenticated-user-email");
  EXPECT_EQ(*read_header_name("Tailscale-User-Login"), "tailscale-user-login");
  for (const char* text : {"", "X User", "X-User:", "Host", "cookie", "AUTHORIZATION", "Ü"}) {
    EXPECT_FALSE(read_header_name(text)) << text;
  }
}

TEST(Rules, HostsAndOriginsAreReadOrRefusedWithASentence) {
  EXPECT_EQ(*read_host("Tofud.Example.com:8443"), (http::authority{"tofud.example.com", 8443}));
  EXPECT_NE(read_host("https://tofud.example.com").error().text().find("is not a host"),
            std::string::npos);
  EXPECT_EQ(*read_origin("HTTPS://Portal.example.com"),
            (http::origin{"https", "portal.example.com", 443}));
  EXPECT_NE(read_origin("https://portal.example.com/x").error().text().find("is not an origin"),
            std::string::npos);
  EXPECT_FALSE(read_origin("*"));
  EXPECT_FALSE(read_origin("null"));
}

TEST(Rules, ScopesAreAList) {
  EXPECT_EQ(*parse_scopes("read"), (scopes{true, false, false}));
  EXPECT_EQ(*parse_scopes("raw,ingest"), (scopes{false, true, true}));
  EXPECT_EQ(to_string(every_scope), "read,ingest,raw");
  for (const char* text : {"", "read,", ",read", "Read", "read ingest", "all"}) {
    EXPECT_FALSE(parse_scopes(text)) << text;
  }
}

TEST(Rules, AGroupHasStacks) {
  EXPECT_EQ(*read_group_stacks("net-team=net/*"), (group_stacks{"net-team", "net/*"}));
  EXPECT_EQ(*read_group_stacks("cn=net=net/*"), (group_stacks{"cn=net", "net/*"}));
  for (const char* text : {"", "net", "=net/*", "net=", "net=a b"}) {
    EXPECT_FALSE(read_group_stacks(text)) << text;
  }
}

}  // namespace
}  // namespace tofud::access
