// The outbox of notifications that all daemons of a cluster have: each applies the changes of one
// stream, in its order, and one of them delivers.
#pragma once

#include "daemon/cluster/jetstream.hpp"
#include "daemon/cluster/reader.hpp"
#include "daemon/notify/sender.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace tofud::serve {

class shared_outbox {
 public:
  /// All outlive it. `may_deliver`: this daemon does, for now.
  shared_outbox(boost::asio::io_context& io, cluster::jetstream& in, const std::string& cluster,
                notify::sender& to, std::function<bool()> may_deliver);
  ~shared_outbox();

  net::task<text::failure> ensure(unsigned replicas);
  /// Once, when the stream is there.
  void begin();
  /// NATS is there again: what waits is put there.
  void look();
  void stop();
  std::size_t waiting() const { return waiting_.size(); }
  /// Every change that there was is applied.
  bool is_current() const { return reads_ && reads_->is_caught_up() && !is_applying_; }

 private:
  struct change {
    std::string text;
    std::function<void()> then;
  };
  net::task<bool> put();
  net::task<bool> follow();

  boost::asio::io_context& io_;
  cluster::jetstream& in_;
  std::string stream_, subject_;
  notify::sender& to_;
  std::deque<change> waiting_;
  bool is_putting_ = false, is_applying_ = false, is_stopped_ = false;
  std::shared_ptr<cluster::reader> reads_;
};

}  // namespace tofud::serve
