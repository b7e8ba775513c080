// A spool on its way to a daemon: the files beside it, its redaction, and the forwarder.
#pragma once

#include "daemon/client/server_address.hpp"
#include "daemon/forward/forwarder.hpp"
#include "daemon/forward/run_document.hpp"
#include "daemon/forward/sending_lock.hpp"
#include "daemon/forward/upload_record.hpp"
#include "protocol/text/failure.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tofud::forward {

/// Which daemon, if any.
struct daemon_choice {
  std::string server;  // as given; empty: $TOFUD_SERVER, else one at its usual place if it is there
  bool none = false;   // --no-server
  std::string token_file = {};  // empty: $TOFUD_TOKEN
};

/// A daemon that is to be sent to.
struct found_daemon {
  client::server_address address;
  bool asked_for = false;       // by a person; else it was simply there
  std::string token = {};       // what it is shown; empty: nothing
  std::string token_file = {};  // where that stands; empty: nowhere
};

/// The daemon that is meant: the given one, be it there or not, or the first usual place where
/// somebody listens. Nothing if there is none.
text::result<std::optional<found_daemon>> find_daemon(const daemon_choice& choice);

/// `ID.upload` beside ID.jsonl.
std::string upload_path(const std::string& spool_path);

/// Whether a daemon still lacks something of that spool that it would take.
bool owes_upload(const std::string& spool_path);

/// Removes what only an upload that goes on needs, its secrets above all. Whoever finds one that is
/// over does so: its forwarder may have been killed before it did.
void clear_after_upload(const std::string& spool_path);

/// What is hidden of a stream, and from where on.
struct forwarding_rules;

/// Sends one spool, from what the daemon has acknowledged on, also where another process began it.
/// What is said of troubles goes to stderr.
class forwarding {
 public:
  struct spooled_stream {
    std::string path;  // of ID.jsonl
    files::stream_bytes bytes;
    std::function<std::uint64_t()> size;
    std::function<std::string()> events;  // what ID.events holds
    std::chrono::system_clock::time_point began;
  };
  /// Freezes the redaction (by the environment, `variables` and `mask_file`, if nothing is frozen
  /// yet), writes ID.upload and begins to send. With a failure nothing was sent.
  static text::result<std::unique_ptr<forwarding>> begin(
      boost::asio::io_context& io, const found_daemon& daemon, spooled_stream source,
      const forward::run_facts& facts, const std::string& mask_file,
      const std::vector<std::string>& variables = {});

  /// Whether the daemon has the run, by this process or the one before it.
  bool taken() const { return !record_.run.empty(); }
  const forward::upload_record& record() const { return record_; }
  /// See upload::usual.
  const std::vector<feed::address_usual>& usual() const { return forwarder_->state().usual(); }
  /// More bytes may be there, and events before them.
  void more() {
    beat();
    forwarder_->more();
  }
  /// About ten times a second: more events may be there.
  void beat();
  /// No more of them come.
  void end();

  /// Complete or stopped: nothing more is sent.
  bool over() const { return over_; }
  bool complete() const { return record_.complete; }
  /// Whether the daemon was ever heard of.
  bool was_in_contact() const { return forwarder_->was_in_contact(); }
  /// Whether it has answered the newest request.
  bool is_in_contact() const { return forwarder_->state().in_contact(); }
  std::uint64_t unsent() const { return forwarder_->unsent(source_.size()); }
  /// What of the redacted stream the daemon has.
  std::uint64_t acknowledged() const { return forwarder_->state().acknowledged().value_or(0); }
  /// Called once, when it is over.
  void on_over(std::function<void()> told) { told_ = std::move(told); }
  /// "12 bytes of run ID are not yet at SERVER; `tofud resume ID` sends the rest"
  std::string what_is_left() const;
  /// Why nothing more is sent, and what to do; empty if it is complete, or goes on.
  std::string why_stopped() const;

 private:
  forwarding(forward::upload_record record, spooled_stream source,
             std::unique_ptr<forward::sending_lock> lock);
  void start(boost::asio::io_context& io, const found_daemon& daemon,
             std::shared_ptr<const net::tls_client> tls, const forward::run_facts& facts,
             forward::forwarder::stream stream);
  void hide(const std::string& events);
  void was_taken();
  void ended();
  void save();

  forward::upload_record record_;
  spooled_stream source_;
  std::shared_ptr<forwarding_rules> rules_;
  std::unique_ptr<forward::sending_lock> lock_;
  std::unique_ptr<forward::forwarder> forwarder_;
  std::function<void()> told_;
  std::size_t events_bytes_ = 0;  // of ID.events, as of the last look
  bool over_ = false;
};

}  // namespace tofud::forward
