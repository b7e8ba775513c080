// What a forwarder says next to a daemon, and what it makes of the answers: the upload's rules
// without sockets, files or a clock.
#pragma once

#include "daemon/client/message.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/upload/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tofud::forward {

using client::request;
using client::response;

/// Why a run is sent no further.
struct upload_stop {
  enum class until : std::uint8_t {
    asked,  // `tofud resume` may try again: somebody has to change something first
    never,  // sending again can't help: the daemon holds other bytes, or a person removed the run
  };
  until again = until::asked;
  std::string reason;    // a word for the file beside the spool, such as "diverged"
  std::string sentence;  // for people, without a full stop
  bool operator==(const upload_stop&) const = default;
};

/// Offsets are bytes of the redacted stream. One request is under way at a time, and each is one
/// that may be repeated: whatever is lost, doubled or cut off, the daemon's bytes end up as the
/// source's.
class upload {
 public:
  using clock = std::chrono::steady_clock;
  using time = clock::time_point;

  /// `post_body` is the document that asks for the run. `random` gives numbers in [0, 1).
  upload(std::string post_body, std::string secret, std::function<double()> random);

  /// What of the stream is at hand: the bytes in [from, to). `all`: the stream ends at `to`, and
  /// every event has been added.
  struct supply {
    std::uint64_t from = 0, to = 0;
    bool all = false;
  };

  /// Send this; of a PATCH the body are `bytes` bytes of the stream from `from` on, of an
  /// attachment its document: if there is none, say leave_out() instead.
  struct send {
    request head;
    std::uint64_t from = 0;
    std::size_t bytes = 0;
    std::optional<feed::attachment> document = {};
  };
  /// Nothing is to be done before then, unless an answer comes or the supply changes.
  struct wait {
    time until;
  };
  /// The daemon has it all, or `stopped` says why it will not.
  struct over {};
  using step = std::variant<send, wait, over>;

  /// After a `send` the next call of `answered` or `broken` is about that request.
  step next(time now, const supply& ready);
  void answered(time now, const response& answer);
  /// No connection, cut off, or no answer in time: the daemon may have stored it or not.
  void broken(time now);

  /// The next event of the run, which takes effect at `offset`: a JSON object without it.
  /// `fields` are the same each time the run is sent, and so is the order of events.
  /// `part`: that document is attached there.
  void add_event(std::uint64_t offset, std::string fields,
                 std::optional<feed::attachment> part = std::nullopt);
  /// The document that was to be sent can't be: its place among the events is taken by a word.
  void leave_out(std::string_view why);
  /// A sentence about documents that are not sent, once an upload; empty: nothing is to be said.
  std::string take_remark() { return std::exchange(documents_.remark, {}); }

  /// What the daemon has on its disk, and from where bytes are needed. Nothing: not yet known.
  std::optional<std::uint64_t> acknowledged() const { return acknowledged_; }
  bool complete() const { return complete_; }
  const std::optional<upload_stop>& stopped() const { return stopped_; }
  /// The run's name there and the address of its page; empty: not known, or it has none.
  const std::string& run() const { return run_; }
  const std::string& url() const { return url_; }
  /// How long operations of the stack usually take, as the daemon said.
  const std::vector<feed::address_usual>& usual() const { return there_.usual; }
  /// Whether the newest request that ended was answered with a success.
  bool in_contact() const { return there_.in_contact; }

 private:
  enum class kind : std::uint8_t { post, head, patch, event, attachment };
  struct under_way {
    kind what;
    std::uint64_t from = 0;
    std::size_t bytes = 0;
    bool completes = false;
  };
  struct event {
    std::uint64_t offset;
    std::string fields;
    std::optional<feed::attachment> part;
    bool left_out = false;
  };

  step begin(under_way what, time now, request head);
  step post(time now);
  step head(time now);
  step patch(time now, std::uint64_t from, std::size_t bytes, bool completes);
  step put_event(time now);
  step put_attachment(time now);
  request addressed(std::string method, const std::string& place) const;

  void stands_at(std::uint64_t offset);
  void took(const under_way& what, time now, const response& answer);
  void took_post(time now, const response& answer);
  void took_patch(const under_way& what, time now, std::optional<std::uint64_t> offset);
  bool attachment_answered(time now, const response& answer);
  void no_attachments_there();
  void conflicts(const under_way& what, time now, const response& answer);
  void too_large(const under_way& what, const response& answer);
  void lost_run(const under_way& what, time now, const response& answer);
  void retry(time now, const response* answer);
  void stop(upload_stop::until again, std::string reason, std::string sentence);

  std::string post_body_, secret_;
  std::function<double()> random_;
  std::vector<event> events_;
  std::size_t next_event_ = 0;
  std::string run_, url_;
  std::optional<std::uint64_t> acknowledged_;
  std::optional<under_way> under_way_;
  std::optional<upload_stop> stopped_;
  unsigned failures_ = 0;  // since bytes or an event were accepted
  struct pace {
    std::size_t max_patch = limits::patch_bytes;
    std::chrono::milliseconds keep_alive = limits::keep_alive;
    time not_before{};  // requests wait so long after a failure
    time last_patch{};  // began
    time last_sent{};   // any request that was accepted began
  } pace_;
  struct documents {
    unsigned tries = 0;          // of the one that is due
    bool ask_for_route = false;  // 404 for one: is it the run that is not known?
    bool unwanted = false;       // the daemon takes none
    bool remarked = false;
    std::string remark;
  } documents_;
  /// The daemon, as far as we know.
  struct standing {
    bool has_run = false;
    bool ask_offset = false;
    bool lost_before = false;   // 404 since something was accepted
    bool events_again = false;  // sent from the first on since something was accepted
    bool complete = false;      // it has said so
    bool in_contact = false;
    std::vector<feed::address_usual> usual = {};  // of the stack
  } there_;
  bool complete_ = false;
};

}  // namespace tofud::forward
