#include "daemon/settings/checks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tofud::settings {
namespace {

struct shape {
  const char* name;
  std::string (*check)(const std::string&);
  std::vector<std::string> good, bad;
};

TEST(Checks, TextsWithTheShapeOfAnOptionAreRecognized) {
  const std::vector<shape> shapes{
      {"endpoint",
       check_endpoint,
       {"127.0.0.1:8638", "[::1]:0", "::1:80", "localhost:65535", "0.0.0.0:1"},
       {"", "127.0.0.1", ":80", "127.0.0.1:", "127.0.0.1:65536", "name:80", "127.0.0.1:8a"}},
      {"proxy",
       check_proxy,
       {"10.0.0.0/8", "127.0.0.1", "fd00::/8", "::1", "0.0.0.0/0", "::/128", "unix",
        "127.0.0.1@root", "::1@0", "unix@33"},
       {"", "10.0.0.0/33", "::/129", "10.0.0/8", "host/8", "10.0.0.0/", "10.0.0.0/-1",
        "10.0.0.1@root", "127.0.0.1@", "127.0.0.1@no-such-user-here", "@root"}},
      {"host",
       check_host,
       {"tofud", "tofud.example.com", "10.0.0.7:8638", "[::1]", "[::1]:8638", "a_b-c.d"},
       {"", "a b", "host:port", "host:99999", "[::1", "[host]", "a/b", "user@host", ":80"}},
      {"origin",
       check_origin,
       {"https://tofud.example.com", "http://localhost:8638", "https://[::1]:1"},
       {"", "tofud.example.com", "https://", "https://a/", "ftp://a", "null", "https://a/b",
        "https://user@a"}},
      {"base path",
       check_base_path,
       {"", "/tofud", "/a/b-c_d.e", "/", "/tofud/"},
       {"tofud", "/a//b", "/..", "/a/../b", "/a b", "/a?b", "//a"}},
      {"scopes",
       check_scopes,
       {"read", "read,ingest,raw", "raw"},
       {"", "write", "read,", ",read", "read ingest", "READ"}},
      {"header name",
       check_header_name,
       {"", "X-Forwarded-User", "Cf-Access-Authenticated-User-Email"},
       {"X User", "User:", "Ü", "a\r\nb", "Host", "Cookie", "Authorization"}},
      {"word", check_word, {"admins", "a b"}, {""}},
  };
  for (const shape& each : shapes) {
    for (const std::string& text : each.good) EXPECT_EQ(each.check(text), "") << each.name << text;
    for (const std::string& text : each.bad) EXPECT_NE(each.check(text), "") << each.name << text;
  }
}

}  // namespace
}  // namespace tofud::settings
