// One subscriber as the hub sees it: a cursor, a filter and a socket that is written to once at a
// time. The transports (websocket_subscriber, stream_session) derive from it.
#pragma once

#include "daemon/fanout/cursor.hpp"
#include "daemon/fanout/framing.hpp"
#include "protocol/feed/request.hpp"

#include <boost/intrusive/list_hook.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::fanout {

/// How a subscriber is sent what it is sent.
enum class transport : std::uint8_t { websocket, server_sent_events, lines };
inline constexpr std::size_t transports = 3;

class hub;
class topic;
struct hub_state;      // hub.cpp
struct offered_topic;  // hub.cpp: a topic with its waiting subscribers and its flush clock

/// Close codes of the feed (protocol/feed/README.md). HTTP streams turn 44xx into 4xx.
using close_code = std::uint16_t;
namespace close_codes {
/// `no_word` is never sent: the peer closed or was dropped, or Beast closed (1002, 1007).
inline constexpr close_code asked_for = 1000, listen_only = 1003, no_word = 1006,
                            too_many_frames = 1008, too_large = 1009, our_bug = 1011,
                            restarting = 1012, busy = 1013, stalled = 4008, bad_request = 4400,
                            no_such_run = 4404, not_acceptable = 4406, permit_over = 4410;
}  // namespace close_codes

/// Why nobody was subscribed: a close code and a sentence that names the field.
struct refusal {
  close_code code = close_codes::bad_request;
  std::string message;
};

/// Of a run whose rows are not there any more.
inline const refusal run_is_gone{close_codes::no_such_run, "the run is gone"};

/// Who subscribes, as far as it matters to what he is shown.
struct viewer {
  std::shared_ptr<const std::string> permit;  // http::request::permit
  /// The id of the run that he means by a name; empty: there is none that he may see. Null: he
  /// sees every run, and `latest` is the hub's.
  std::function<std::string(const std::string& name)> run_id = nullptr;
  /// What he is shown when he names no run; null: the first wall that was offered, to whoever sees
  /// every run.
  const topic* wall = nullptr;
};

/// What `hub::admit` found: the topic asked for and where in it to begin.
struct admission {
  std::shared_ptr<hub_state> hub;
  std::shared_ptr<offered_topic> topic;  // empty: refused
  feed::filter wanted;
  cursor where;
  bool end_close = false;
  bool is_reset = false;              // it has to begin anew
  std::uint64_t not_current = 0;      // as of which change hello says it
  bool nothing_left = false;          // end=close at the end of an ended run: nothing will come
  std::vector<std::string> greeting;  // hello and perhaps reset; or error
  refusal refused;
  std::shared_ptr<const std::string> permit;  // http::request::permit
};

/// What moved on a connection, as counters: the sweep compares, nobody reads a clock.
struct activity {
  std::uint32_t reads = 0, writes = 0;
  int unacknowledged = 0;
  bool open = true;  // false: a close has begun, whoever began it
};

using hub_hook =
    boost::intrusive::list_base_hook<boost::intrusive::tag<hub_state>,
                                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
using topic_hook =
    boost::intrusive::list_base_hook<boost::intrusive::tag<offered_topic>,
                                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// Life: `begin` when the transport is ready, then one `send` at a time each answered by `sent`,
/// then `leave`. Owned by its transport's coroutine and by writes in flight.
class subscriber : public hub_hook, public topic_hook {
 public:
  subscriber(const subscriber&) = delete;
  subscriber& operator=(const subscriber&) = delete;
  virtual ~subscriber();

 protected:
  subscriber(admission admitted, framing frames);

  void begin();
  void sent();
  void leave() noexcept;
  /// The transport begins to close on its own account; the sweep sees that it ends.
  void closing_by_itself(close_code code);
  /// It sends more frames in a second than it may.
  void floods();
  /// It sends more bytes at once than it may.
  void sends_too_much();
  /// Writes a line about a failure of this session, at a bounded rate over all sessions.
  void log_failure(std::string_view what) noexcept;

 private:
  friend struct hub_state;

  /// Starts writing `bytes`; there is no other write in flight.
  virtual void send(std::shared_ptr<const std::string> bytes) = 0;
  /// Says goodbye: after a write in flight, if there is one.
  virtual void close(close_code code, std::string_view reason) = 0;
  /// Ends the connection now.
  virtual void drop() noexcept = 0;
  /// Asks the peer for a sign of life. False: the transport can't, and silence says nothing.
  virtual bool ping() = 0;
  virtual activity seen(bool with_kernel) = 0;
  virtual transport sent_by() const {
    return frames_ == framing::sse ? transport::server_sent_events : transport::lines;
  }

  using time_point = std::chrono::steady_clock::time_point;

  std::shared_ptr<hub_state> hub_;
  std::shared_ptr<offered_topic> topic_;
  std::shared_ptr<const std::string> permit_;
  std::shared_ptr<void> watches_;  // a share of the topic's `watched`, until it leaves
  cursor where_;
  feed::filter wanted_;
  struct {
    std::string greeting;           // empty once it is sent
    std::uint64_t not_current = 0;  // the last change of hub_state::not_current that was said
  } told_;
  refusal refused_;  // of a subscriber without a topic
  std::uint64_t version_ = 0;
  time_point last_sent_{}, last_read_{}, progress_{}, closing_since_{};
  activity last_seen_;
  std::size_t frame_bytes_ = 0;  // of the last one
  std::uint8_t pings_ = 0;
  close_code closed_with_ = close_codes::no_word;
  transport transport_ = transport::lines;  // since `begin`
  framing frames_;
  bool member_ = false;
  bool writing_ = false;
  bool more_ = true;  // the last fill did not reach the head
  bool end_close_ = false;
  bool closing_ = false;
  bool owing_ = false;  // bytes may be unacknowledged
};

}  // namespace tofud::fanout
