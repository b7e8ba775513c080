#include "tests/cluster/nats_server.hpp"

#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tofud::cluster {
namespace {

int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  ::bind(fd, reinterpret_cast<sockaddr*>(&at), size);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size);
  ::close(fd);
  return ntohs(at.sin_port);
}

bool answers(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  const bool is_there = ::connect(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0;
  ::close(fd);
  return is_there;
}

}  // namespace

nats_server::nats_server(std::string more) : port_{free_port()}, more_{std::move(more)} { start(); }

nats_server::~nats_server() { kill(); }

void nats_server::kill() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void nats_server::start() {
  tests::write_file(room_ / "nats.conf", "listen: 127.0.0.1:" + std::to_string(port_) +
                                             "\njetstream { store_dir: \"" + room_.path() +
                                             "\" }\n" + more_);
  const std::string file = room_ / "nats.conf", log = room_ / "nats.log";
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::execlp("nats-server", "nats-server", "-c", file.c_str(), "-l", log.c_str(), nullptr);
    ::_exit(127);
  }
  for (int i = 0; i < 500; ++i) {
    if (answers(port_)) return;
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_) break;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  throw std::runtime_error{"nats-server does not start: " + tests::read_file(log)};
}

std::unique_ptr<link> Linked::connect(const servers& to) {
  auto opened = link::open(
      loop_, to, "test", {[](bool) {}, [this](const std::string& each) { said_.push_back(each); }});
  EXPECT_TRUE(opened) << opened.error().text();
  std::unique_ptr<link> made = std::move(*opened);
  EXPECT_TRUE(until([&] { return made->is_up() || !said_.empty(); }));
  return made;
}

}  // namespace tofud::cluster
