// Joins topics and subscribers: who waits for what, when a change is flushed, who fell silent.
// One thread, two kinds of timers: a flush clock per topic and one sweep over all sessions.
#pragma once

#include "daemon/fanout/hub_counts.hpp"
#include "daemon/fanout/limits.hpp"
#include "daemon/fanout/subscriber.hpp"
#include "daemon/fanout/topic.hpp"
#include "daemon/net/limits.hpp"
#include "protocol/feed/limits.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace boost::asio {
class io_context;
}

namespace tofud::fanout {

struct hub_options {
  std::string server = "tofud", build = "unknown";  // for `hello`
  std::chrono::milliseconds heartbeat = limits::heartbeat;
  std::chrono::milliseconds tick_max = limits::tick_max;  // 0: every change is flushed at once
  std::chrono::milliseconds sweep{1000};
  std::chrono::milliseconds ping_after = limits::ping_after;
  int missed_pings = limits::missed_pings;
  std::chrono::milliseconds stalled_after = limits::stalled_after;
  std::chrono::milliseconds close_time{5000};  // from our close frame to the peer's
  std::size_t client_message_bytes = limits::client_message_bytes;
  std::uint32_t client_frames_per_second = limits::client_frames_per_second;
};

/// The last words to every subscriber.
struct goodbye {
  close_code code = close_codes::asked_for;
  std::string reason = "run over";
  enum class when { at_head, at_once } then = when::at_head;  // at_head: first what is left
  std::chrono::milliseconds deadline = limits::goodbye;       // then connections are dropped
  std::chrono::milliseconds retry_spread{0};  // over 0: the reason is a random `retry_ms=` up to it
};

/// Topics are taken by reference and must live until they are withdrawn or the hub is gone. What is
/// new in one is served when it is published (topic::publish).
/// Sessions may outlive the hub: they share its state, find it stopped and end.
class hub {
 public:
  hub(boost::asio::io_context& io, hub_options options);
  hub(const hub&) = delete;
  hub& operator=(const hub&) = delete;
  ~hub();

  /// The topic of a run, from now on under `run=run_id`. One that was offered under it before is
  /// withdrawn.
  void offer(const std::string& run_id, topic& run);
  /// The topic of requests that name no run; of several the first, unless a viewer has his own.
  void offer_wall(topic& wall);
  /// Nobody may be subscribed to it.
  void withdraw_wall(const topic& wall);
  /// What `run=latest` means at connect.
  void set_latest(const std::string& run_id);
  /// Subscribers of the run get an `error` 4404 as if they came now. Its topic may go at once, and
  /// another one be offered under the same id; subscribers of the old one do not get to that.
  void withdraw(const std::string& run_id, const refusal& why = run_is_gone);

  /// Why what other daemons have is not known here; empty: it is. All are told within a sweep.
  void set_not_current(std::string why);

  /// Subscribers whose permit is over get an `error` 4410 and are closed: at once, or after what is
  /// being written to them.
  void close_without_permit();

  /// Resolves a request: never fails, a refusal is an admission without topic.
  admission admit(std::string_view query, const std::optional<std::string>& last_event_id,
                  viewer who = {});
  /// An admission that refuses for a reason of the transport's own.
  admission refuse(refusal why);

  /// Says `last` to everybody who is and who comes. `done` is called once when nobody is left, at
  /// the latest shortly after the deadline.
  void finish(goodbye last, std::function<void()> done);

  std::size_t subscribers() const;
  std::chrono::microseconds tick() const;
  const hub_options& options() const;
  /// As long as the hub lives.
  const hub_counts& counts() const;

 private:
  std::shared_ptr<hub_state> state_;
};

}  // namespace tofud::fanout
