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
  const auto refused = refuse_foreign(reader.take(), port);
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

TEST(LoopbackAuthority, WithoutAPortMeansPort80InAnOrigin) {
  EXPECT_TRUE(is_loopback_authority("localhost", 80, port_rule::required));
  EXPECT_FALSE(is_loopback_authority("localhost", 8638, port_rule::required));
}

TEST(LoopbackAuthority, ANulByteHidesNothing) {
  using namespace std::string_view_literals;
  EXPECT_FALSE(is_loopback_authority("127.0.0.1\0.evil.example"sv, 8638, port_rule::optional));
}

}  // namespace
}  // namespace tofud::http
