#include "daemon/net/turns.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace tofud::net {

namespace asio = boost::asio;

task<turn> turns::take(std::chrono::milliseconds patience) {
  const auto self = shared_from_this();
  if (taken_) {
    const auto mine = std::make_shared<asio::steady_timer>(io_, patience);
    waiting_.push_back(mine);
    auto waiting = mine->async_wait(asio::as_tuple(asio::use_awaitable_t<executor>{}));
    co_await std::move(waiting);
    // Whoever was given the turn is no longer among those who wait.
    if (std::erase(waiting_, mine) > 0) co_return nullptr;
  }
  taken_ = true;
  co_return turn{this, [held = self](const void*) { held->give_on(); }};
}

void turns::give_on() {
  if (waiting_.empty()) {
    taken_ = false;
    return;
  }
  const auto next = std::move(waiting_.front());
  waiting_.pop_front();
  next->cancel();
}

}  // namespace tofud::net
