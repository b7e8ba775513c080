#include "daemon/net/rest.hpp"

#include <boost/asio/steady_timer.hpp>

namespace tofud::net {

task<bool> rest(boost::asio::io_context& io, std::chrono::milliseconds time) {
  boost::asio::steady_timer clock{io, time};
  auto waiting = clock.async_wait(as_result);
  co_await std::move(waiting);
  co_return true;
}

}  // namespace tofud::net
