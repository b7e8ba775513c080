#include "daemon/cluster/lease.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/net/rest.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <utility>

namespace tofud::cluster {

lease::lease(boost::asio::io_context& io, bucket& in, std::string key, std::string holder)
    : io_{io}, in_{in}, key_{std::move(key)}, holder_{std::move(holder)} {}

void lease::begin() { boost::asio::co_spawn(io_, hold(), boost::asio::detached); }

net::task<bool> lease::hold() {
  const auto self = shared_from_this();
  while (!is_stopped_) {
    const auto asked_at = clock::now();
    const bool was_held = is_held();
    auto renewing = renew();
    if (co_await std::move(renewing)) until_ = asked_at + limits::lease_time * 2 / 3;
    if (was_held != is_held()) ++changes_;
    auto resting = net::rest(io_, limits::lease_time / 4);
    co_await std::move(resting);
  }
  co_return true;
}

net::task<bool> lease::renew() {
  auto writing = revision_ == 0 ? in_.create(key_, holder_) : in_.update(key_, holder_, revision_);
  const auto written = co_await std::move(writing);
  if (written) {
    revision_ = *written;
    co_return true;
  }
  if (!written.error().is(error::other_writer)) co_return false;
  // It may be ours all the same: of before a restart, or of an answer that did not come.
  revision_ = 0;
  auto reading = in_.get(key_);
  const auto there = co_await std::move(reading);
  if (there && *there && (*there)->value == holder_) revision_ = (*there)->revision;
  co_return false;
}

}  // namespace tofud::cluster
