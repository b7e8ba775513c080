// Reads a stream in order, without a gap and without a message twice, whatever happens to the
// connection or to the servers: a consumer that nothing depends on, made again from where it ended.
#pragma once

#include "daemon/cluster/jetstream.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tofud::cluster {

class reader : public std::enable_shared_from_this<reader> {
 public:
  struct place {
    std::string stream, subjects;  // a pattern
    std::uint64_t after = 0;       // begins behind that number
    bool only_newest = false;      // of each subject what is there at the start, then all
  };

  reader(boost::asio::io_context& io, jetstream& in, place from);

  /// What comes next: one message or more, as soon as there are any. A failure: not now; asking
  /// again goes on from the same place. After `stop` it gives nothing.
  using messages = text::result<std::vector<stored_message>>;
  net::task<messages> next();
  /// Whoever waits gets an empty answer.
  void stop();
  bool is_stopped() const { return stopped_; }

  /// All that was there when it began came, and was given.
  bool is_caught_up() const { return !consumer_.empty() && pending_ == 0 && came_.empty(); }
  /// How many more there are behind those that came, as the server said last.
  std::uint64_t pending() const { return pending_; }
  /// Once after the stream was found to be another one: it had lost what came before, and what
  /// comes now is numbered from its beginning.
  bool take_loss() { return std::exchange(has_lost_, false); }
  /// How often it had to begin anew, since something was missing.
  std::uint64_t begun_again() const { return begun_again_; }

 private:
  net::task<text::failure> begin();
  void take(message came);
  void lose();
  net::task<bool> look_whether_more_is_there();
  void pull();
  void wake() { woken_.cancel(); }

  boost::asio::io_context& io_;
  jetstream& in_;
  place at_;
  std::string consumer_;          // empty: there is none
  std::string created_;           // when the stream was, as its server says; empty: not asked yet
  std::uint64_t reconnects_ = 0;  // of the link, when the consumer was made
  link::inbox inbox_;
  std::uint64_t consumer_seq_ = 0, pending_ = 0, begun_again_ = 0;
  std::size_t awaited_ = 0;  // messages that the server may still send for what it was asked
  std::deque<stored_message> came_;
  boost::asio::steady_timer woken_;
  std::chrono::steady_clock::time_point heard_at_;
  /// When a message came, or we looked whether there is one; and after which time we look again.
  std::chrono::steady_clock::time_point doubted_at_;
  std::chrono::milliseconds doubts_after_ = limits::reader_doubts_first;
  bool stopped_ = false, has_lost_ = false;
};

}  // namespace tofud::cluster
