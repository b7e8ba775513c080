// A stream that was kept, here or at a daemon, and what stands beside it.
#pragma once

#include "daemon/client/run_bytes.hpp"
#include "daemon/client/service.hpp"
#include "daemon/correlator/run_state.hpp"
#include "daemon/pipeline/attached_parts.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/spool/kept_runs.hpp"
#include "daemon/spool/stream_file.hpp"
#include "protocol/events/known_run.hpp"
#include "protocol/text/failure.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/result.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tofud::pipeline {

/// Read from its beginning, once: a file here, or a run at a daemon, whose stream is redacted and
/// else the same.
class kept_stream {
 public:
  static text::result<kept_stream> open(const std::string& path);
  /// `run` is the id of its stream. Asks the daemon whether it has it.
  static boost::system::result<kept_stream, client::failure> open(const client::service& at,
                                                                  const std::string& run);

  /// Gives all bytes there are now, in pieces. Returns what failed, or an empty string.
  text::failure read_all(const std::function<void(std::string_view)>& piece);
  /// The next bytes; 0: there are no more for now.
  text::result<std::size_t> read(std::span<char> room);
  /// Whether `read` may still find something after it found nothing.
  bool may_grow();

  /// Whether the run goes on, that is more may be written. Ask before reading all there is.
  bool is_written();
  /// The same without looking for writers of unlocked files.
  bool is_held();
  /// Reads of a pipe wait.
  bool is_pipe() const;

  /// Null: it is no file here.
  const std::string* path() const;
  /// Null: it is a file here.
  const client::service* daemon() const;

  /// What is said beside the stream at this moment: the end may have come since.
  events::known_run said() const;
  /// What was said of the run when it was live; its file's name is its id if nothing was.
  correlator::run_identity identity() const;

 private:
  struct at_a_daemon {
    client::service at;
    std::string run;
    events::known_run said;                  // when it was opened
    std::optional<client::run_bytes> bytes;  // from the first read on
  };
  explicit kept_stream(std::variant<spool::stream_file, at_a_daemon> from)
      : from_{std::move(from)} {}

  std::variant<spool::stream_file, at_a_daemon> from_;
};

/// What lies beside it; nothing, if it is at a daemon: what is attached there stays there.
attached_parts parts_beside(const kept_stream& stream);

/// Feeds all bytes there are now, and what is said beside them. Returns what failed, or an empty
/// string.
text::failure feed_all(engine& to, kept_stream& from, attached_parts& parts);

/// Nobody writes the stream any more: its exit status if somebody knew it, and the end.
void finish(engine& to, const kept_stream& from);

/// Feeds a stream to its end, and on while somebody writes it; then it is finished.
class follower {
 public:
  struct listeners {
    std::function<void(std::string_view)> piece;             // before it is fed
    std::function<void()> caught_up;                         // once: all there was has been fed
    std::function<void(const text::failure& failure)> over;  // empty: it is finished
  };
  /// All outlive the follower.
  follower(boost::asio::io_context& io, kept_stream& stream, attached_parts& parts, engine& to,
           listeners told);
  void start();
  void stop();

 private:
  void turn();
  void quiet();
  void over(const text::failure& failure);

  kept_stream& stream_;
  attached_parts& parts_;
  engine& to_;
  listeners told_;
  boost::asio::steady_timer pause_;
  std::vector<char> room_;
  bool last_look_ = false;  // nobody writes any more; what came before is still to be read
  bool caught_up_ = false, stopped_ = false;
};

}  // namespace tofud::pipeline
