// What the hub knows: topics that are offered, and who subscribes to them. Of this folder alone.
#pragma once

#include "daemon/fanout/flush_cache.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/fanout/subscriber.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tofud::fanout {

namespace asio = boost::asio;
namespace intrusive = boost::intrusive;
using clock = std::chrono::steady_clock;
using timer =
    asio::basic_waitable_timer<clock, asio::wait_traits<clock>, asio::io_context::executor_type>;

/// Subscribers of one filter stand at a few places at most; each flush is at most a frame.
inline constexpr std::size_t flushes_remembered = 32;

/// Lines as their transport has them.
std::string framed(const std::vector<std::string>& lines, framing frames);

struct hub_state;

struct offered_topic final : topic_server, std::enable_shared_from_this<offered_topic> {
  using queue = intrusive::list<subscriber, intrusive::base_hook<topic_hook>,
                                intrusive::constant_time_size<false>>;

  offered_topic(topic& offered, asio::io_context& io, std::weak_ptr<hub_state> by)
      : hub{std::move(by)}, rows{&offered}, flush_clock{io.get_executor()} {}
  void flush(std::optional<clock::time_point> came) override;
  bool is_watched() const override { return watched.use_count() > 1; }

  std::weak_ptr<hub_state> hub;
  topic* rows;    // null: withdrawn
  refusal gone;   // why, then
  queue waiting;  // at the head at their last fill
  queue due;      // to be served, some of them each turn
  timer flush_clock;
  std::shared_ptr<void> watched = std::make_shared<char>();  // shared with who subscribes to it
  clock::time_point last_flush{};
  clock::duration sending{};                        // what sending that took until now
  std::optional<clock::time_point> since;           // when the oldest change of the next flush came
  std::optional<clock::time_point> flushing_since;  // of the one that is being served
  std::uint64_t version = 0;                        // counts `changed`
  std::uint64_t looked_at = 0;                      // it, when the flush clock rang
  bool flush_coming = false;
  bool serving = false;  // a turn is posted
};

struct hub_state : std::enable_shared_from_this<hub_state> {
  using members_list = intrusive::list<subscriber, intrusive::base_hook<hub_hook>,
                                       intrusive::constant_time_size<false>>;

  hub_state(asio::io_context& context, hub_options chosen)
      : io{context},
        options{std::move(chosen)},
        sweep_clock{io.get_executor()},
        deadline_clock{io.get_executor()} {}

  void begin(subscriber& who);
  void sent(subscriber& who);
  void leave(subscriber& who) noexcept;

  void changed(offered_topic& which, const std::shared_ptr<offered_topic>& keep,
               std::optional<clock::time_point> since);
  void flush_at(const std::shared_ptr<offered_topic>& which, clock::time_point due);
  void flush_unless_busy(const std::shared_ptr<offered_topic>& which, clock::time_point at);
  void flush(const std::shared_ptr<offered_topic>& which);
  void serve_some(const std::shared_ptr<offered_topic>& which);
  void serve_later(const std::shared_ptr<offered_topic>& which);
  void advance(subscriber& who);
  void go_on(subscriber& who);
  void catch_up(subscriber& who);
  void refuse(subscriber& who, refusal why);
  void close_without_permit();
  void settle(subscriber& who);
  void start_send(subscriber& who, std::shared_ptr<const std::string> bytes);
  void close_subscriber(subscriber& who, close_code code, std::string_view reason);
  void close_at_end(subscriber& who);

  void sweep_later();
  void sweep();
  /// Whether who is served still lives: see liveness.cpp.
  void sweep(subscriber& who);

  void finish(goodbye words, std::function<void()> then);
  void stop() noexcept;
  void check_done() noexcept;
  std::chrono::microseconds tick() const;
  void log_failure(std::string_view what) noexcept;
  void count_close(close_code code) noexcept;

  /// Runs `step` for `who`; an exception ends that session only.
  template <class Step>
  void guarded(subscriber& who, Step step) noexcept {
    try {
      step();
    } catch (const std::exception& e) {
      log_failure(e.what());
      who.drop();
    } catch (...) {
      log_failure("unknown exception");
      who.drop();
    }
  }

  asio::io_context& io;
  hub_options options;
  std::unordered_map<std::string, std::shared_ptr<offered_topic>> runs;
  std::vector<std::shared_ptr<offered_topic>> walls;
  std::string latest;
  flush_cache cache{flushes_remembered};
  hub_counts counts;
  std::optional<clock::duration> waited;  // of what is being flushed
  members_list members;
  std::size_t count = 0;
  timer sweep_clock, deadline_clock;
  clock::time_point now = clock::now();  // of the last flush, sweep or arrival
  bool sweeping = false;
  bool stopped = false;
  std::optional<goodbye> last_words;
  std::function<void()> done;
  struct {
    std::string why;
    std::uint64_t version = 0;  // counts its changes
  } not_current;
  std::string heartbeat_line;  // of this sweep, for `heartbeat_at`
  feed::sequence heartbeat_at = 0;
  std::minstd_rand random{std::random_device{}()};
  clock::time_point complained{};
  std::uint64_t complaints = 0;
};

}  // namespace tofud::fanout
