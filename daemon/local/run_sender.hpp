// The run on its way to a daemon, while its worker shows it.
#pragma once

#include "daemon/forward/forwarding.hpp"
#include "daemon/keeper/worker_link.hpp"
#include "daemon/local/begun_run.hpp"
#include "daemon/local/view_options.hpp"
#include "daemon/pipeline/engine.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

namespace tofud {

/// Whoever does not answer soon gets the run later; until then it is served here.
class run_sender {
 public:
  /// All outlive this.
  run_sender(boost::asio::io_context& io, const keeper::worker_link& link) : io_{io}, link_{link} {}

  /// To the daemon that was named or found, if there is one; waits for its first answer, at most
  /// limits::daemon_wait. `rows`: no byte is sent before it is folded, since what is attached there
  /// is told before the bytes behind it.
  void begin(const view_options& view, const begun_run& run, const pipeline::engine& rows);
  /// There is more to send.
  void more();
  void beat();
  /// Null: it goes to no daemon, or that one has not taken it.
  const forward::upload_record* taken() const;

  /// What the daemon says is usual of an address; nothing: it says nothing.
  std::optional<feed::usual> usual_of(std::string_view addr, std::string_view action) const;

  enum class keeper_is : bool { here, gone };
  /// The stream is over. Without its keeper a wrapped tofu writes on: who resumes follows it.
  void finish(keeper_is where, bool wrapped);
  /// Whether all is there, or nobody waits any longer, which is said.
  bool is_over(keeper_is where, bool wrapped);

 private:
  void send_to(const forward::found_daemon& daemon, const view_options& view, const begun_run& run,
               const pipeline::engine& rows);

  boost::asio::io_context& io_;
  const keeper::worker_link& link_;
  std::unique_ptr<forward::forwarding> sending_;   // null: to no daemon
  std::chrono::steady_clock::time_point until_{};  // of the farewell
  bool said_what_is_left_ = false;
};

}  // namespace tofud
