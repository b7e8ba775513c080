// What one of several daemons does, and another one when it is gone.
#pragma once

#include "daemon/cluster/bucket.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace tofud::cluster {

/// A value of a bucket that ends by itself (limits::lease_time) unless its holder renews it. The
/// holder gives it up by its own clock before anybody else can have it. What is done under it in
/// NATS is checked there once more: appends by what they follow, values by their revision.
class lease : public std::enable_shared_from_this<lease> {
 public:
  lease(boost::asio::io_context& io, bucket& in, std::string key, std::string holder);

  void begin();
  void stop() { is_stopped_ = true; }
  bool is_held() const { return revision_ != 0 && clock::now() < until_; }
  /// How often it came to this daemon, or went from it.
  std::uint64_t changes() const { return changes_; }

 private:
  using clock = std::chrono::steady_clock;
  net::task<bool> hold();
  net::task<bool> renew();

  boost::asio::io_context& io_;
  bucket& in_;
  std::string key_, holder_;
  std::uint64_t revision_ = 0;  // 0: it is not ours
  clock::time_point until_;
  std::uint64_t changes_ = 0;
  bool is_stopped_ = false;
};

}  // namespace tofud::cluster
