// A listener on a free port, with the routes that a test gives it.
#pragma once

#include "daemon/http/listener.hpp"
#include "daemon/http/message/limits.hpp"
#include "tests/http/loopback.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace tofud::tests {

class serving : public testing::Test {
 protected:
  explicit serving(http::listener_options options = {},
                   std::chrono::milliseconds body_stalled_after = limits::body_stalled_after)
      : routes_{body_stalled_after}, listener_{io_, routes_, options} {}

  /// Once the routes are there.
  void start() {
    http::listen_address where;
    where.port = 0;
    const auto bound = listener_.bind(where);
    if (!bound) throw std::runtime_error{bound.error().message};
    port_ = bound->port();
    listener_.start();
  }

  /// The whole answer to `bytes`, which ask for the connection's end.
  client ask(std::string_view bytes) {
    client one{io_, port_};
    one.send(bytes);
    EXPECT_TRUE(one.until_end()) << bytes.substr(0, 100) << " -> " << one.got().substr(0, 200);
    return one;
  }

  boost::asio::io_context io_{1};
  http::router routes_;
  http::listener listener_;
  std::uint16_t port_ = 0;
};

}  // namespace tofud::tests
