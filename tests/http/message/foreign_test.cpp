// Who may ask: a table of Host and Origin headers.
#include "daemon/http/message/foreign.hpp"

#include "daemon/http/message/head_reader.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace tofud::http {
namespace {

constexpr std::uint16_t port = 8638;

struct row {
  int status;  // 0: may pass
  const char* headers;
};

std::ostream& operator<<(std::ostream& out, const row& one) {
  return out << one.status << ": " << one.headers;
}

class Foreign : public testing::TestWithParam<row> {};

TEST_P(Foreign, IsRefusedWithTheStatusOfTheTable) {
  head_reader reader;
  ASSERT_EQ(reader.feed("GET / HTTP/1.1\r\n" + std::string{GetParam().headers} + "\r\n"),
            head_reader::state::complete)
      << reader.error().message;
  auto asked = reader.take();
  asked.port = port;
  const auto refused = refuse_foreign(asked);
  EXPECT_EQ(refused ? refused->status : 0, GetParam().status);
}

const row rows[] = {
    // Host: a loopback name, with our port or none.
    {0, "Host: localhost:8638\r\n"},
    {0, "Host: localhost\r\n"},
    {0, "host: LOCALHOST:8638\r\n"},
    {0, "Host: 127.0.0.1:8638\r\n"},
    {0, "Host: 127.0.0.1\r\n"},
    {0, "Host: 127.1.2.3:8638\r\n"},
    {0, "Host: [::1]:8638\r\n"},
    {0, "Host: [::1]\r\n"},
    {0, "Host: [0:0:0:0:0:0:0:1]:8638\r\n"},
    {400, ""},
    {400, "Host:\r\n"},
    {400, "Host: localhost\r\nHost: localhost\r\n"},
    {400, "Host: localhost:8638\r\nHost: evil.example\r\n"},
    {421, "Host: evil.example\r\n"},
    {421, "Host: evil.example:8638\r\n"},
    {421, "Host: localhost.evil.example:8638\r\n"},
    {421, "Host: localhost.:8638\r\n"},
    {421, "Host: localhost:80\r\n"},
    {421, "Host: localhost:\r\n"},
    {421, "Host: localhost:8638x\r\n"},
    {421, "Host: localhost:08638000\r\n"},
    {421, "Host: localhost, evil.example\r\n"},
    {421, "Host: user@localhost:8638\r\n"},
    {421, "Host: 127.0.0.1.evil.example\r\n"},
    {421, "Host: 127.1:8638\r\n"},
    {421, "Host: 2130706433\r\n"},
    {421, "Host: 0x7f.0.0.1\r\n"},
    {421, "Host: 0.0.0.0:8638\r\n"},
    {421, "Host: 128.0.0.1:8638\r\n"},
    {421, "Host: 192.168.1.1:8638\r\n"},
    {421, "Host: [::]:8638\r\n"},
    {421, "Host: [::2]:8638\r\n"},
    {421, "Host: [::ffff:127.0.0.1]:8638\r\n"},
    {421, "Host: ::1\r\n"},
    {421, "Host: [::1\r\n"},
    {421, "Host: [::1]8638\r\n"},
    {421, "Host: *\r\n"},
    {421, "Host: [::1%lo]:8638\r\n"},
    {421, "Host: [::1%25lo]:8638\r\n"},
    {421, "Host: [::1]:\r\n"},
    {421, "Host: [127.0.0.1]\r\n"},
    {421, "Host: localhost:0\r\n"},
    {421, "Host: localhost:-8638\r\n"},
    {421, "Host: localhost:8638:8638\r\n"},
    {421, "Host: localhost:74174\r\n"},
    {421, "Host: localhost:0x21be\r\n"},
    {421, "Host: localhost;evil.example\r\n"},
    {421, "Host: localhost evil.example\r\n"},
    {421, "Host: localhost\\evil.example\r\n"},
    {421, "Host: localhost#evil.example\r\n"},
    {421, "Host: localhost/../evil.example\r\n"},
    {421, "Host: http://localhost:8638\r\n"},
    {421, "Host: 0:8638\r\n"},
    {421, "Host: 017700000001:8638\r\n"},
    {421, "Host: 127.0.0.01:8638\r\n"},
    {421, "Host: 127.0.0.1.:8638\r\n"},
    // Names that lead to 127.0.0.1 and are anybody's.
    {421, "Host: localtest.me:8638\r\n"},
    {421, "Host: 127.0.0.1.nip.io:8638\r\n"},
    {421, "Host: 7f000001.c0a80001.rbndr.us:8638\r\n"},
    {421, "Host: spoofed.localhost.evil.example:8638\r\n"},
    {421, "Host: tofud.localhost:8638\r\n"},
    {421, "Host: localhost.localdomain:8638\r\n"},
    // What somebody says of another proxy's Host is not looked at.
    {421, "Host: evil.example\r\nX-Forwarded-Host: localhost:8638\r\n"},
    {421, "Host: evil.example\r\nForwarded: host=localhost:8638\r\n"},
    {0, "Host: localhost:8638\r\nX-Forwarded-Host: evil.example\r\n"},
    // Origin: absent, or one of ours with our port.
    {0, "Host: localhost:8638\r\nOrigin: http://localhost:8638\r\n"},
    {0, "Host: localhost:8638\r\nOrigin: http://127.0.0.1:8638\r\n"},
    {0, "Host: 127.0.0.1:8638\r\nOrigin: http://[::1]:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: null\r\n"},
    {403, "Host: localhost:8638\r\nOrigin:\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:3000\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: https://localhost:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://evil.example\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://evil.example:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:8638.evil.example\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:8638/\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: localhost:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: file://\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: chrome-extension://abcdef\r\n"},
    {403,
     "Host: localhost:8638\r\nOrigin: http://localhost:8638\r\nOrigin: http://evil.example\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:8638 http://evil.example\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:8638, http://evil.example\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:8638\r\nOrigin: null\r\n"},
    {403,
     "Host: localhost:8638\r\nOrigin: http://localhost:8638\r\nOrigin: http://localhost:8638\r\n"},
    {0, "Host: localhost:8638\r\nOrigin: HTTP://LOCALHOST:8638\r\n"},
    {0, "Host: [::1]:8638\r\nOrigin: http://[0:0:0:0:0:0:0:1]:8638\r\n"},
    {0, "Host: localhost\r\nOrigin: http://localhost\r\n"},  // a proxy at the usual port
    {403, "Host: localhost\r\nOrigin: http://127.0.0.1\r\n"},
    {403, "Host: localhost\r\nOrigin: http://localhost:3000\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost.:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://user@localhost:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:8638@evil.example\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:8638#\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:8638?\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http:/localhost:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: ws://localhost:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: data:text/html,x\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: about:blank\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: moz-extension://0a1b\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: vscode-webview://0a1b\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: undefined\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: NULL\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:08638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localhost:8638.\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://localtest.me:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://127.0.0.1.nip.io:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://xn--lcalhost-54a:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://l\u00f6calhost:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://[::1]:8639\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://[::1%25lo]:8638\r\n"},
    {403, "Host: localhost:8638\r\nOrigin: http://[::ffff:127.0.0.1]:8638\r\n"},
    {403, "Host: localhost:8638\r\nX-Forwarded-Proto: https\r\nOrigin: https://localhost:8638\r\n"},
    // Fetch metadata.
    {0, "Host: localhost:8638\r\nSec-Fetch-Site: same-origin\r\n"},
    {0, "Host: localhost:8638\r\nSec-Fetch-Site: none\r\n"},
    {403, "Host: localhost:8638\r\nSec-Fetch-Site: cross-site\r\n"},
    {403, "Host: localhost:8638\r\nSec-Fetch-Site: Cross-Site\r\n"},
};

INSTANTIATE_TEST_SUITE_P(HostsAndOrigins, Foreign, testing::ValuesIn(rows));

// A server with names: behind TLS or not, by its own door or a proxy's.
struct named_row {
  int status;
  bool is_secure;
  const char *host, *origin;  // null: none
};

std::ostream& operator<<(std::ostream& out, const named_row& one) {
  return out << one.status << (one.is_secure ? " https " : " http ") << one.host << " "
             << (one.origin == nullptr ? "" : one.origin);
}

class Named : public testing::TestWithParam<named_row> {};

TEST_P(Named, IsRefusedWithTheStatusOfTheTable) {
  const own_names names{
      {*parse_authority("tofud.example.com"), *parse_authority("alt.example.com:8443"),
       *parse_authority("192.168.1.5"), *parse_authority("[fd00::5]"),
       *parse_authority("xn--bcher-kva.example"), *parse_authority("localhost:9000")},
      {*parse_origin("https://portal.example.com"), *parse_origin("http://dev.example.com:3000")}};
  request asked;
  asked.method = "GET";
  asked.port = port;
  asked.is_secure = GetParam().is_secure;
  asked.headers.push_back({"host", GetParam().host});
  if (GetParam().origin != nullptr) asked.headers.push_back({"origin", GetParam().origin});
  const auto refused = refuse_foreign(asked, names);
  EXPECT_EQ(refused ? refused->status : 0, GetParam().status);
}

const named_row named_rows[] = {
    // Host: each name in each spelling that browsers send, and nothing that only looks like one.
    {0, false, "tofud.example.com", nullptr},
    {0, false, "tofud.example.com:8638", nullptr},
    {0, false, "tofud.example.com:80", nullptr},
    {0, true, "tofud.example.com:443", nullptr},
    {0, false, "TOFUD.Example.COM", nullptr},
    {0, false, "alt.example.com:8443", nullptr},
    {0, false, "192.168.1.5:8638", nullptr},
    {0, false, "[fd00::5]:8638", nullptr},
    {0, false, "[FD00:0:0::5]:8638", nullptr},
    {0, false, "xn--bcher-kva.example", nullptr},
    {0, false, "127.0.0.1:8638", nullptr},
    {421, false, "tofud.example.com:443", nullptr},
    {421, true, "tofud.example.com:80", nullptr},
    {421, false, "tofud.example.com:8639", nullptr},
    {421, false, "alt.example.com", nullptr},
    {421, false, "alt.example.com:8638", nullptr},
    {421, false, "tofud.example.com.", nullptr},
    {421, false, "tofud.example.com.attacker.example", nullptr},
    {421, false, "attacker-tofud.example.com", nullptr},
    {421, false, "a.tofud.example.com", nullptr},
    {421, false, "example.com", nullptr},
    {421, false, "tofud.example.co", nullptr},
    {421, false, "tofud.example.com@attacker.example", nullptr},
    {421, false, "attacker.example:80@tofud.example.com", nullptr},
    {421, false, "tofud.example.com/", nullptr},
    {421, false, "tofud.example.com#", nullptr},
    {421, false, "tofud%2eexample.com", nullptr},
    {421, false, "tofud.example.com%00.attacker.example", nullptr},
    {421, false, "b\u00fccher.example", nullptr},
    {421, false, "tofud.example.com:", nullptr},
    {421, false, "tofud.example.com:+80", nullptr},
    {421, false, "tofud.example.com:080", nullptr},
    {421, false, "tofud.example.com:65616", nullptr},
    {421, false, "tofud..example.com", nullptr},
    {421, false, "192.168.1.5.", nullptr},
    {421, false, "192.168.1.50", nullptr},
    {421, false, "3232235781", nullptr},
    {421, false, "192.168.261", nullptr},
    {421, false, "[fd00::5%25lo]", nullptr},
    {421, false, "[::ffff:192.168.1.5]", nullptr},
    {421, false, "fd00::5", nullptr},
    {421, false, "portal.example.com", nullptr},
    {421, false, "127.0.0.1.attacker.example", nullptr},
    {421, false, "localhost.attacker.example", nullptr},
    // A tunnel brings our port to another one.
    {0, false, "localhost:9000", nullptr},
    {0, false, "localhost:8638", nullptr},
    {421, false, "localhost:9001", nullptr},
    {421, false, "127.0.0.1:9000", nullptr},
    {421, true, "xn--bcher-kva.example.", nullptr},
    {421, false, "xn--bcher-kva", nullptr},
    {421, false, "[fd00::5", nullptr},
    {421, false, "[fd00::5]8638", nullptr},
    {421, false, "[fd00::6]:8638", nullptr},
    {421, false, "[fd00:0:0:0:0:0:0:0:5]:8638", nullptr},
    // Origin: the host that was asked, by the scheme it was asked by; and those that are listed.
    {0, false, "tofud.example.com", "http://tofud.example.com"},
    {0, false, "tofud.example.com", "http://tofud.example.com:80"},
    {0, false, "tofud.example.com:8638", "http://tofud.example.com:8638"},
    {0, true, "tofud.example.com", "https://tofud.example.com"},
    {0, true, "tofud.example.com:8638", "https://TOFUD.example.com:8638"},
    {0, true, "alt.example.com:8443", "https://alt.example.com:8443"},
    {0, false, "[fd00::5]:8638", "http://[fd00::5]:8638"},
    {0, false, "tofud.example.com", "https://portal.example.com"},
    {0, false, "tofud.example.com", "https://portal.example.com:443"},
    {0, false, "127.0.0.1:8638", "http://dev.example.com:3000"},
    {0, true, "localhost:8638", "https://localhost:8638"},
    {0, false, "localhost:9000", "http://localhost:9000"},
    {0, false, "[fd00::5]:8638", "http://[FD00:0::5]:8638"},
    {0, false, "xn--bcher-kva.example", "http://xn--bcher-kva.example"},
    {0, false, "tofud.example.com", "HTTPS://Portal.Example.com"},
    {403, false, "localhost:9000", "http://localhost:9001"},
    {403, false, "localhost:8638", "http://localhost:9000"},
    {403, false, "localhost:9000", "http://127.0.0.1:9000"},
    {403, true, "tofud.example.com", "https://tofud.example.com https://portal.example.com"},
    {403, true, "tofud.example.com", "https://portal.example.com,https://portal.example.com"},
    {403, true, "tofud.example.com", "https://portal.example.com\t"},
    {403, true, "tofud.example.com", "https://portal.example.com\\@attacker.example"},
    {403, true, "tofud.example.com", "https://PORTAL\u00b7example.com"},
    {403, true, "tofud.example.com", "https://[fd00::5]:8638"},
    {403, false, "tofud.example.com", "https://tofud.example.com"},
    {403, true, "tofud.example.com", "http://tofud.example.com"},
    {403, true, "tofud.example.com", "https://tofud.example.com:8638"},
    {403, false, "tofud.example.com:8638", "http://tofud.example.com"},
    {403, false, "tofud.example.com", "http://alt.example.com:8443"},
    {403, false, "tofud.example.com", "http://127.0.0.1:8638"},
    {403, false, "127.0.0.1:8638", "http://tofud.example.com"},
    {403, true, "localhost:8638", "http://localhost:8638"},
    {403, false, "tofud.example.com", "http://portal.example.com"},
    {403, false, "tofud.example.com", "https://portal.example.com:8443"},
    {403, false, "tofud.example.com", "https://portal.example.com.attacker.example"},
    {403, false, "tofud.example.com", "https://attacker.example/https://portal.example.com"},
    {403, false, "tofud.example.com", "https://portal.example.com@attacker.example"},
    {403, false, "tofud.example.com", "https://user@portal.example.com"},
    {403, false, "tofud.example.com", "https://portal.example.com/"},
    {403, false, "tofud.example.com", "https://portal.example.com."},
    {403, false, "tofud.example.com", "https://portal.example.com:0443"},
    {403, false, "tofud.example.com", "https://portal%2eexample.com"},
    {403, false, "tofud.example.com", "https:portal.example.com"},
    {403, false, "tofud.example.com", "wss://portal.example.com"},
    {403, false, "tofud.example.com", "http://tofud.example.com.attacker.example"},
    {403, false, "tofud.example.com", "http://attackertofud.example.com"},
    {403, false, "tofud.example.com", "http://127.attacker.example"},
    {403, false, "tofud.example.com", "http://127.0.0.1.attacker.example:8638"},
    {403, false, "tofud.example.com", "http://[::1].attacker.example"},
    {403, false, "tofud.example.com", "http://b\u00fccher.example"},
    {403, false, "tofud.example.com", "null"},
    {403, false, "tofud.example.com", ""},
    {403, false, "tofud.example.com", "*"},
    {403, false, "tofud.example.com", "file://"},
    {403, false, "tofud.example.com", "http://tofud.example.com http://tofud.example.com"},
};

INSTANTIATE_TEST_SUITE_P(HostsAndOrigins, Named, testing::ValuesIn(named_rows));

TEST(Foreign, OnlyAnAllowedOriginIsReturned) {
  const own_names names{
      {*parse_authority("tofud.example.com")},
      {*parse_origin("https://portal.example.com"), *parse_origin("http://tofud.example.com")}};
  const auto noted = [&](std::vector<const char*> origins) {
    request asked;
    asked.method = "GET";
    asked.port = port;
    asked.headers.push_back({"host", "tofud.example.com"});
    for (const char* one : origins) asked.headers.push_back({"origin", one});
    (void)refuse_foreign(asked, names);
    EXPECT_TRUE(asked.varies_by_origin);
    return asked.other_page;
  };
  EXPECT_EQ(noted({"https://portal.example.com"}), "https://portal.example.com");
  EXPECT_EQ(noted({"https://portal.example.com:443"}), "https://portal.example.com:443");
  EXPECT_EQ(noted({}), "");
  EXPECT_EQ(noted({"http://tofud.example.com"}), "");  // our own, listed or not
  EXPECT_EQ(noted({"https://evil.example"}), "");
  EXPECT_EQ(noted({"null"}), "");
  EXPECT_EQ(noted({"https://portal.example.com", "https://evil.example"}), "");
  EXPECT_EQ(noted({"https://portal.example.com", "https://portal.example.com"}), "");
}

TEST(Foreign, ALinkFromElsewhereLeadsToAPageAndToNothingElse) {
  request asked;
  asked.method = "GET";
  asked.port = port;
  asked.headers = {{"host", "localhost:8638"},
                   {"sec-fetch-site", "cross-site"},
                   {"sec-fetch-mode", "navigate"},
                   {"sec-fetch-dest", "document"}};
  EXPECT_FALSE(refuse_foreign(asked));
  asked.headers.back().value = "iframe";
  EXPECT_TRUE(refuse_foreign(asked));
  asked.headers.back().value = "document";
  asked.method = "POST";
  EXPECT_TRUE(refuse_foreign(asked));
}

TEST(Authority, ANulByteIsRefused) {
  using namespace std::string_view_literals;
  EXPECT_FALSE(parse_authority("127.0.0.1\0.evil.example"sv));
  EXPECT_FALSE(parse_authority("[::1\0]"sv));
}

}  // namespace
}  // namespace tofud::http
