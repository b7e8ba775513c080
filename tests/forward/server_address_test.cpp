// What people write for --server.
#include "daemon/forward/server_address.hpp"

#include <gtest/gtest.h>

namespace tofud::forward {
namespace {

TEST(ServerAddress, IsAPortOfThisMachine) {
  EXPECT_EQ(*parse_server("http://127.0.0.1:8638"), (server_address{"", "127.0.0.1", 8638}));
  EXPECT_EQ(*parse_server("http://localhost:80/"), (server_address{"", "127.0.0.1", 80}));
  EXPECT_EQ(*parse_server("http://[::1]:8638"), (server_address{"", "::1", 8638}));
}

TEST(ServerAddress, OrASocket) {
  EXPECT_EQ(*parse_server("unix:/run/t.sock"), (server_address{"/run/t.sock", "", 0}));
  EXPECT_EQ(*parse_server("/run/t.sock"), (server_address{"/run/t.sock", "", 0}));
}

TEST(ServerAddress, ReadsWhatItWrites) {
  for (const char* text : {"http://127.0.0.1:8638", "http://[::1]:1", "unix:/a b/c"}) {
    EXPECT_EQ(parse_server(text)->text(), text);
  }
}

TEST(ServerAddress, AnythingElseGetsASentenceThatSaysWhatToWrite) {
  const auto refusal = [](std::string_view text) {
    const auto parsed = parse_server(text);
    return parsed ? "took it" : parsed.error();
  };
  const auto says = [&](std::string_view text, std::string_view part) {
    EXPECT_NE(refusal(text).find(part), std::string::npos) << refusal(text);
  };
  says("", "write http://HOST:PORT");
  says("tofud.sock", "write http://HOST:PORT");
  says("unix:tofud.sock", "begins with /");
  says("/" + std::string(107, 'x'), "at most 107 bytes");
  says("https://127.0.0.1:1", "without TLS");
  says("http://127.0.0.1", "port is missing");
  says("http://[::1]", "port is missing");
  says("http://127.0.0.1:", "number from 1 to 65535");
  says("http://127.0.0.1:0", "number from 1 to 65535");
  says("http://127.0.0.1:65536", "number from 1 to 65535");
  says("http://127.0.0.1:80/v1/runs", "nothing behind it");
  says("http://me@127.0.0.1:80", "nothing behind it");
  says("http://10.0.0.7:8638", "10.0.0.7 is not this machine");
  says("http://example.com:8638", "example.com is not this machine");
  says("http://:80", "is not this machine");
}

}  // namespace
}  // namespace tofud::forward
