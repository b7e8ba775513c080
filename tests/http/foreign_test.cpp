// Who may ask: a table of Host and Origin headers.
#include "daemon/http/foreign.hpp"

#include "daemon/http/head_reader.hpp"

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
       *parse_authority("xn--bcher-kva.example")},
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

TEST(Authority, ANulByteHidesNothing) {
  using namespace std::string_view_literals;
  EXPECT_FALSE(parse_authority("127.0.0.1\0.evil.example"sv));
  EXPECT_FALSE(parse_authority("[::1\0]"sv));
}

}  // namespace
}  // namespace tofud::http
