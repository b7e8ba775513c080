// Sends a run to a daemon while it grows: the stream's window, the machine that knows the rules,
// the connection and a timer, on the loop of whoever has the run.
#pragma once

#include "daemon/client/http_client.hpp"
#include "daemon/forward/attachment_body.hpp"
#include "daemon/forward/limits.hpp"
#include "daemon/forward/redacted_window.hpp"
#include "daemon/forward/upload.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tofud::forward {

/// An event of the run besides its bytes: a JSON object without `offset`. In their order.
struct sent_event {
  std::optional<std::uint64_t> offset;  // in the raw stream; nothing: its end
  std::string fields;
  std::optional<feed::attachment> part = {};  // whose document is attached there
};

/// Who trickles gets no more time than who is silent.
inline client::patience upload_patience() {
  return {limits::connect_wait, limits::answer_wait, client::patience::counts::whole,
          limits::answer_bytes};
}

/// Never waits, and does little in one turn of the loop.
class forwarder {
 public:
  struct stream {
    files::stream_bytes bytes;
    redaction_maker begin_redaction;
    /// The document that is attached to the run.
    std::function<std::unique_ptr<attachment_body>(feed::attachment)> document = {};
  };
  struct listeners {
    std::function<void()> taken;  // the daemon has the run; again if it had lost it
    std::function<void()> over;   // complete or stopped; nothing more is sent
    std::function<void(const std::string& sentence)> remark = {};  // about what is left out
  };
  /// Asked before the run is asked for, each time, since what it gave may be over by then: gives
  /// what goes into `Authorization`, or nothing if it can't be had now. Not called after the
  /// forwarder is gone, nor does it call what it was given then.
  using authorizer = std::function<void(std::function<void(std::optional<std::string>)> give)>;
  forwarder(boost::asio::io_context& io, const client::place& server, upload machine, stream source,
            listeners told, client::patience waits = upload_patience(), authorizer authorize = {});
  ~forwarder();
  forwarder(const forwarder&) = delete;
  forwarder& operator=(const forwarder&) = delete;

  void start();
  /// More bytes may be there.
  void more();
  /// The events known so far, from the first on.
  void tell(std::vector<sent_event> events);
  /// What the source gives now is all, and so are the events told.
  void source_over();

  const upload& state() const { return machine_; }
  /// Why TLS with the daemon comes to nothing; "" if it does not.
  const std::string& distrust() const { return connection_.distrust(); }
  /// Whether any request was ever answered as a daemon answers.
  bool was_in_contact() const { return was_in_contact_; }
  /// Bytes of the stream that the daemon has not acknowledged, if the source has `raw` bytes. What
  /// was not redacted yet is taken to be as long as it is.
  std::uint64_t unsent(std::uint64_t raw) const;

 private:
  void turn();
  void later();
  void redact();
  void add_events();
  std::optional<std::uint64_t> place_of(const sent_event& event) const;
  void send(upload::send what);
  void prepare(const std::shared_ptr<attachment_body>& body, request asked);
  void exchange(request asked);
  void authorize(request asked);
  void took(client::answered answer);
  void wait_until(upload::time then);

  boost::asio::io_context& io_;
  upload machine_;
  redacted_window window_;
  listeners told_;
  std::function<std::unique_ptr<attachment_body>(feed::attachment)> document_;
  client::http_client connection_;
  authorizer authorize_;
  std::string authorization_;  // empty: what the connection has by itself
  boost::asio::steady_timer timer_;
  std::vector<sent_event> events_;
  std::size_t events_added_ = 0;     // to the machine
  std::uint64_t last_event_at_ = 0;  // of these
  bool source_over_ = false;
  bool turn_due_ = false, over_told_ = false, was_in_contact_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tofud::forward
