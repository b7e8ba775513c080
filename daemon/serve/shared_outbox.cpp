#include "daemon/serve/shared_outbox.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/net/rest.hpp"
#include "daemon/notify/limits.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/serve/limits.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <utility>

namespace tofud::serve {

namespace asio = boost::asio;

shared_outbox::shared_outbox(asio::io_context& io, cluster::jetstream& in,
                             const std::string& cluster, notify::sender& to,
                             std::function<bool()> may_deliver)
    : io_{io}, in_{in}, stream_{cluster + "_told"}, subject_{cluster + ".told"}, to_{to} {
  to_.share({[this](std::string text, std::function<void()> then) {
               if (waiting_.size() >= limits::outbox_messages) {
                 operations::log_error(operations::events::cluster, {},
                                       "a notification is given up: {} wait for NATS",
                                       waiting_.size());
                 return then();
               }
               waiting_.push_back({std::move(text), std::move(then)});
               look();
             },
             std::move(may_deliver)});
}

shared_outbox::~shared_outbox() { stop(); }

void shared_outbox::stop() {
  is_stopped_ = true;
  if (reads_) reads_->stop();
}

net::task<text::failure> shared_outbox::ensure(unsigned replicas) {
  cluster::stream_wish wanted;
  wanted.name = stream_;
  wanted.subjects = subject_;
  wanted.max_age = limits::outbox_kept;
  wanted.replicas = replicas;
  return in_.ensure(std::move(wanted));
}

void shared_outbox::begin() {
  if (reads_) return;
  to_.applied([this](std::uint64_t number) {
    if (reads_ || is_stopped_) return;
    reads_ = std::make_shared<cluster::reader>(io_, in_,
                                               cluster::reader::place{stream_, subject_, number});
    asio::co_spawn(io_, follow(), asio::detached);
  });
}

void shared_outbox::look() {
  if (waiting_.empty() || is_stopped_ || !in_.over().is_up() || std::exchange(is_putting_, true))
    return;
  asio::co_spawn(io_, put(), asio::detached);
}

/// In their order. What may have been put already is put again: it is taken once.
net::task<bool> shared_outbox::put() {
  while (!waiting_.empty() && !is_stopped_) {
    auto putting = in_.append({subject_, "", {}, waiting_.front().text}, std::nullopt);
    const auto stored = co_await std::move(putting);
    if (!stored) break;
    const auto then = std::move(waiting_.front().then);
    waiting_.pop_front();
    then();
  }
  is_putting_ = false;
  co_return true;
}

net::task<bool> shared_outbox::follow() {
  const auto reads = reads_;
  while (!reads->is_stopped()) {
    auto reading = reads->next();
    auto came = co_await std::move(reading);
    if (!came) {
      auto resting = net::rest(io_, limits::cluster_again_after);
      co_await std::move(resting);
      continue;
    }
    is_applying_ = true;
    if (reads->take_loss()) {
      auto resetting = net::given<bool>([this](std::function<void(bool)> give) {
        to_.forget_applied([give = std::move(give)] { give(true); });
      });
      co_await std::move(resetting);
    }
    for (cluster::stored_message& each : *came) {
      if (reads->is_stopped()) co_return false;
      const notify::time at = std::chrono::floor<std::chrono::seconds>(each.at);
      auto applying = net::given<bool>(
          [this, text = std::move(each.data), seq = each.seq, at](std::function<void(bool)> give) {
            to_.apply(text, seq, at, [give = std::move(give)] { give(true); });
          });
      co_await std::move(applying);
    }
    is_applying_ = false;
  }
  co_return true;
}

}  // namespace tofud::serve
