// A real nats-server with JetStream, for one test.
#pragma once

#include "daemon/cluster/link.hpp"
#include "tests/scratch_directory.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tofud::cluster {

class nats_server {
 public:
  /// `more`: further lines of its configuration.
  explicit nats_server(std::string more = "");
  ~nats_server();
  nats_server(const nats_server&) = delete;
  nats_server& operator=(const nats_server&) = delete;

  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
  servers address() const {
    servers to;
    to.urls = {url()};
    return to;
  }
  /// SIGKILL.
  void kill();
  /// On the same port, with what is on its disk.
  void start();
  const tests::scratch_directory& room() const { return room_; }

 private:
  tests::scratch_directory room_;
  int port_ = 0;
  std::string more_;
  pid_t pid_ = -1;
};

/// A loop, and a link to a server.
class Linked : public testing::Test {
 protected:
  std::unique_ptr<link> connect(const servers& to);
  /// Runs the loop until `is_so` or for ten seconds.
  template <class Condition>
  bool until(Condition is_so, std::chrono::milliseconds at_most = std::chrono::seconds{10}) {
    const auto end = std::chrono::steady_clock::now() + at_most;
    bool is_it = false;
    while (!(is_it = is_so()) && std::chrono::steady_clock::now() < end) {
      loop_.restart();
      loop_.run_one_for(std::chrono::milliseconds{20});
    }
    return is_it;
  }
  template <class T>
  T result_of(net::task<T> what) {
    std::optional<T> made;
    boost::asio::co_spawn(loop_, std::move(what), [&](const std::exception_ptr& thrown, T value) {
      if (thrown) std::rethrow_exception(thrown);
      made.emplace(std::move(value));
    });
    if (!until([&] { return made.has_value(); })) throw std::runtime_error{"no answer"};
    return std::move(*made);
  }

  boost::asio::io_context loop_{1};
  std::vector<std::string> said_;
};

}  // namespace tofud::cluster
