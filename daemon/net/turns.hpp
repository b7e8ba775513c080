// Coroutines that do something one after the other.
#pragma once

#include "daemon/net/task.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <list>
#include <memory>

namespace tofud::net {

/// Whoever holds the turn gives it on by destroying it.
using turn = std::shared_ptr<const void>;

class turns : public std::enable_shared_from_this<turns> {
 public:
  explicit turns(boost::asio::io_context& io) : io_{io} {}
  /// In the order of asking; null after `patience`.
  task<turn> take(std::chrono::milliseconds patience);

 private:
  void give_on();

  boost::asio::io_context& io_;
  bool taken_ = false;
  std::list<std::shared_ptr<boost::asio::steady_timer>> waiting_;  // takes nothing while empty
};

}  // namespace tofud::net
