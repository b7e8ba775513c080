// Subscribers over real loopback sockets: a hub with one run, its
// route, and clients of every transport.
#pragma once

#include "daemon/fanout/hub.hpp"
#include "tests/fanout/fake_run.hpp"
#include "tests/http/feed_route.hpp"
#include "tests/http/loopback.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tofud::tests {

class Sessions : public testing::Test {
 protected:
  explicit Sessions(fanout::hub_options options = {}) : hub_{io_, options} {
    hub_.offer("R", run_.log);
    hub_.set_latest("R");
    routes_.get_stream("/v1/stream", feed_route(hub_));
    listener_ = std::make_unique<http::listener>(io_, routes_);
    http::listen_address where;
    where.port = 0;
    const auto bound = listener_->bind(where);
    if (!bound) throw std::runtime_error{bound.error().message};
    port_ = bound->port();
    listener_->start();
  }

  client websocket(std::string_view query, std::string_view headers = "") {
    client one{io_, port_};
    one.send(upgrade_request("/v1/stream?" + std::string{query}, headers));
    return one;
  }
  client stream(std::string_view query, std::string_view headers = "") {
    client one{io_, port_};
    one.send(get_request("/v1/stream?" + std::string{query}, headers));
    return one;
  }

  /// Everything but the hello, in brief.
  static std::string without_hello(std::string_view lines) {
    EXPECT_TRUE(lines.starts_with("{\"kind\":\"hello\"")) << lines;
    lines.remove_prefix(std::min(lines.find('\n') + 1, lines.size()));
    return fanout::brief(lines);
  }
  static std::string lines_of_websocket(const client& from) {
    return text_of(frames(from.after_head()));
  }
  static std::string lines_of_stream(const client& from) {
    return unchunked(from.after_head()).bytes;
  }
  static std::string lines_of_events(const client& from) {
    const std::string events = unchunked(from.after_head()).bytes;
    std::string lines;
    for (std::size_t at = 0; at < events.size();) {
      const auto end = events.find('\n', at);
      const std::string_view field{events.data() + at, end - at};
      if (field.starts_with("data: ")) lines.append(field.substr(6)) += '\n';
      at = end + 1;
    }
    return lines;
  }
  void changed() { run_.log.publish(); }
  bool settle(const std::function<bool()>& happened) { return wait_until(io_, happened); }

  boost::asio::io_context io_{1};
  fanout::fake_run run_;
  fanout::hub hub_;
  http::router routes_;
  std::unique_ptr<http::listener> listener_;
  std::uint16_t port_ = 0;
};

}  // namespace tofud::tests
