#include "daemon/client/server_address.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace tofud;

namespace {

std::string read_and_written(std::string_view text) {
  const auto address = client::parse_server_address(text);
  return address ? to_string(*address) : address.error().text();
}

spool::environment variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

/// A socket file that nobody listens on.
class left_over_socket {
 public:
  explicit left_over_socket(const std::filesystem::path& path) : path_{path} {
    std::filesystem::create_directories(path.parent_path());
    fd_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path.string().copy(name.sun_path, sizeof name.sun_path - 1);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
  }
  ~left_over_socket() {
    ::close(fd_);
    std::filesystem::remove_all(path_.parent_path().parent_path());
  }

 private:
  std::filesystem::path path_;
  int fd_;
};

std::filesystem::path scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "tofud-XXXXXX").string();
  return ::mkdtemp(name.data());
}

}  // namespace

TEST(ServerAddress, HostAndPortOfThisMachine) {
  EXPECT_EQ(read_and_written("http://127.0.0.1:8638"), "http://127.0.0.1:8638");
  EXPECT_EQ(read_and_written("http://LocalHost:8638/"), "http://localhost:8638");
  EXPECT_EQ(read_and_written("http://[::1]:8638"), "http://[::1]:8638");
}

TEST(ServerAddress, PathIsASocketWithOrWithoutItsScheme) {
  EXPECT_EQ(read_and_written("unix:/run/tofud/tofud.sock"), "unix:/run/tofud/tofud.sock");
  EXPECT_EQ(read_and_written("/run/tofud/tofud.sock"), "unix:/run/tofud/tofud.sock");
}

TEST(ServerAddress, AnInvalidAddressIsRefusedWithAReason) {
  EXPECT_EQ(read_and_written("http://127.0.0.1"),
            "'http://127.0.0.1' is not a daemon's address: the port is missing; write one such as "
            "http://127.0.0.1:8638");
  EXPECT_EQ(read_and_written("http://127.0.0.1:0"),
            "'http://127.0.0.1:0' is not a daemon's address: a port is a number from 1 to 65535");
  EXPECT_EQ(read_and_written("http://127.0.0.1:8638/?run=x"),
            "'http://127.0.0.1:8638/?run=x' is not a daemon's address: it has more than a host, a "
            "port and a "
            "path; write one such as http://127.0.0.1:8638");
  EXPECT_EQ(read_and_written("tofud.sock"),
            "'tofud.sock' is not a daemon's address; write https://HOST:PORT, http://HOST:PORT or "
            "unix:/path/to.sock");
  EXPECT_FALSE(client::parse_server_address("unix:tofud.sock"));
  EXPECT_FALSE(client::parse_server_address("unix:/" + std::string(200, 'x')));
  EXPECT_FALSE(client::parse_server_address("http://[::1:8638"));
  EXPECT_FALSE(client::parse_server_address(""));
}

TEST(ServerAddress, TlsAllowsAnyMachine) {
  EXPECT_EQ(read_and_written("https://localhost:1"), "https://localhost:1");
  EXPECT_EQ(read_and_written("https://Tofud.Example.org:8638/"), "https://tofud.example.org:8638");
  EXPECT_EQ(read_and_written("https://tofud.example.org"), "https://tofud.example.org:443");
  EXPECT_EQ(read_and_written("https://[2001:db8::1]"), "https://[2001:db8::1]:443");
  EXPECT_FALSE(client::parse_server_address("https://"));
  EXPECT_FALSE(client::parse_server_address("https://a b:1"));
  EXPECT_FALSE(client::parse_server_address("https://[2001:db8::1"));
  EXPECT_FALSE(client::parse_server_address("https://user@tofud.example.org"));
}

TEST(ServerAddress, ABasePathStandsAtTheEnd) {
  EXPECT_EQ(read_and_written("https://ci.example.org/tofud"), "https://ci.example.org:443/tofud");
  EXPECT_EQ(read_and_written("http://127.0.0.1:8638/a/b/"), "http://127.0.0.1:8638/a/b");
  EXPECT_EQ(client::parse_server_address("https://ci.example.org/tofud")->host, "ci.example.org");
  for (const char* text : {"https://ci.example.org/a b", "https://ci.example.org//tofud",
                           "https://ci.example.org/../tofud", "https://ci.example.org/%2ftofud"}) {
    EXPECT_FALSE(client::parse_server_address(text)) << text;
  }
}

TEST(ServerAddress, OtherMachinesNeedTls) {
  EXPECT_FALSE(client::parse_server_address("http://192.0.2.1:8638"));
  EXPECT_FALSE(client::parse_server_address("http://tofud.example.org:8638"));
  EXPECT_FALSE(client::parse_server_address("http://user@127.0.0.1:8638"));
}

TEST(ServerAddress, AnOptionWinsOverTheEnvironmentAndNoServerOverBoth) {
  const auto env = variables({{"TOFUD_SERVER", "http://127.0.0.1:2"}});
  EXPECT_EQ(to_string(client::choose_server("http://127.0.0.1:1", false, env)->address),
            "http://127.0.0.1:1");
  EXPECT_EQ(to_string(client::choose_server("", false, env)->address), "http://127.0.0.1:2");
  EXPECT_EQ(client::choose_server("http://127.0.0.1:1", true, env)->wish,
            client::server_wish::none);
  EXPECT_FALSE(client::choose_server("nonsense", false, env));
}

TEST(ServerAddress, TheEnvironmentCanTurnItOff) {
  const auto runtime = scratch();
  const left_over_socket there{runtime / "tofud" / "tofud.sock"};
  const auto env = variables({{"XDG_RUNTIME_DIR", runtime.string()}, {"TOFUD_SERVER", "none"}});
  EXPECT_EQ(client::choose_server("", false, env)->wish, client::server_wish::none);
  EXPECT_EQ(client::choose_server("http://127.0.0.1:1", false, env)->wish,
            client::server_wish::named);
  EXPECT_FALSE(client::choose_server("none", false, env));  // on a command line that is --no-server
}

TEST(ServerAddress, DefaultSocketIsFoundWhereItIsThere) {
  const auto runtime = scratch();
  const auto env = variables({{"XDG_RUNTIME_DIR", runtime.string()}});
  const auto path = runtime / "tofud" / "tofud.sock";
  EXPECT_EQ(client::default_sockets(env).front(), path.string());
  const left_over_socket there{path};
  const auto chosen = client::choose_server("", false, env);
  EXPECT_EQ(chosen->wish, client::server_wish::found);
  EXPECT_EQ(chosen->address.socket, path.string());
}
