// The log of each run in NATS, and the journal of this machine as a copy of its beginning.
#pragma once

#include "daemon/cluster/copy.hpp"
#include "daemon/cluster/jetstream.hpp"
#include "daemon/cluster/reader.hpp"
#include "daemon/journal/run_log.hpp"
#include "daemon/net/turns.hpp"
#include "daemon/net/worker_thread.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::cluster {

/// As a run_log it keeps what it is given in NATS and then here: what it acknowledges is in both.
/// Each append says what it follows, so that daemons that take the same run in at the same time
/// can't mix what they append: one of them is refused (error::other_writer) and reads on.
/// What is sent once (copy::is_sent_here) is kept here first, and appended as fast as NATS takes
/// it.
class shared_log final : public journal::run_log {
 public:
  struct options {
    std::string cluster;  // its name: letters, digits, `-` and `_`
    unsigned replicas = 1;
    std::int64_t max_bytes = -1;  // of all runs; -1: no limit
    std::function<std::shared_ptr<copy>(const std::string& run)> copy_of;
    /// Before the first record of a run that is not in the log yet. A failure: it stays without.
    /// Null: it may.
    std::function<net::task<text::failure>(journal::run_header)> may_open;
    /// Once for each trouble.
    std::function<void(const std::string& run, const std::string& sentence)> said;
  };
  /// All outlive it.
  shared_log(boost::asio::io_context& io, jetstream& in, journal::run_log& local, options given);
  ~shared_log() override;

  /// Makes the stream, or sees that it is ours.
  net::task<text::failure> ensure();

  /// The first record of a run; later, if NATS can't be reached. Error other_writer: there is a run
  /// of that id.
  net::task<text::failure> open(journal::run_header header);
  /// The header of a run that somebody opened; nothing: nobody did, or it is no header.
  net::task<text::result<std::optional<journal::run_header>>> header_of(std::string run);

  /// Takes from the log what this machine lacks of the run.
  net::task<text::failure> bring(std::string run);
  /// Takes what others append as they do, until `leave`. Asking twice is as good as once.
  void follow(const std::string& run);
  void leave(const std::string& run);
  /// Whether the log ends where this machine thinks, as far as it knows.
  bool may_append(const std::string& run) const;
  /// Somebody else may have appended: the next append looks first.
  void doubt(const std::string& run);
  /// The newest record that this machine has; 0: none, or nobody looked.
  std::uint64_t seq_of(const std::string& run) const;
  /// The log has nothing of that run yet: `append_surplus` appends all of it.
  void add(journal::run_header header);
  /// Appends what is here and not in the log.
  net::task<text::failure> append_surplus(std::string run);
  /// Runs with such a surplus.
  std::vector<std::string> with_surplus() const;
  /// Forgets all of the run, here in memory and in the log.
  net::task<text::failure> remove(const std::string& run);
  void forget(const std::string& run);

  const std::string& stream() const { return stream_; }
  std::uint64_t readers_begun_again() const { return begun_again_; }

  // ---- run_log -----------------------------------------------------------------------------

  net::task<journal::append_result> append(const std::string& run, std::string bytes,
                                           ui::time_point arrived) override {
    return append_to(run, std::move(bytes), arrived);
  }
  net::task<text::failure> add_event(const std::string& run, journal::kept_event event) override {
    return add_event_to(run, std::move(event));
  }
  net::task<text::failure> complete(const std::string& run, ui::time_point at) override {
    return end_log(run, at);
  }
  std::string rows_path(const std::string& run) const override { return local_.rows_path(run); }
  text::failure write_rows(const std::string& run, std::string_view text) const override {
    return local_.write_rows(run, text);
  }
  void rows_were_written(const std::string& run) override { local_.rows_were_written(run); }
  std::string attachment_path(const std::string& run, std::string_view name) const override {
    return local_.attachment_path(run, name);
  }
  text::failure write_attachment(const std::string& run, std::string_view name,
                                 std::string_view text) const override {
    return local_.write_attachment(run, name, text);
  }
  net::task<text::failure> keep_attachments(const std::string& run,
                                            std::vector<std::string> names) override {
    return keep_documents(run, std::move(names));
  }
  net::task<bool> clear_attachments(const std::string& run) override {
    return local_.clear_attachments(run);
  }
  files::stream_bytes reader(const std::string& run) const override { return local_.reader(run); }
  std::vector<journal::arrival> arrivals(const std::string& run) const override {
    return local_.arrivals(run);
  }

 private:
  struct tail {
    std::uint64_t seq = 0;     // the newest record that is here, too
    std::uint64_t bytes = 0;   // of the stream, up to that record
    std::uint64_t events = 0;  // the same
    bool has_end = false;
    bool is_known = false;     // nothing was behind it when we looked
    bool has_surplus = false;  // what is here goes further
    bool is_pushed = false;    // somebody appends that now
    bool is_parted = false;    // others have ended the run, and what is here goes further for good
    std::string said;          // what is wrong with the log
    std::optional<journal::run_header> unopened;  // NATS does not have it yet
    std::shared_ptr<net::turns> turns;
    std::shared_ptr<cluster::reader> follows;
  };
  std::string subject_of(const std::string& run) const { return subjects_ + run; }
  tail& tail_of(const std::string& run);
  net::task<net::turn> turn_of(std::string run);
  // By value, since who calls goes on before they do.
  net::task<journal::append_result> append_to(std::string run, std::string bytes,
                                              ui::time_point arrived);
  net::task<text::failure> add_event_to(std::string run, journal::kept_event event);
  net::task<text::failure> end_log(std::string run, ui::time_point at);
  net::task<text::failure> keep_documents(std::string run, std::vector<std::string> names);
  net::task<text::failure> put(std::string run, record what);
  net::task<text::failure> put_bytes(std::string run, std::string bytes, ui::time_point arrived);
  net::task<text::failure> put_document(std::string run, std::string name);
  net::task<text::failure> put_header(std::string run);
  net::task<text::failure> put_event(std::string run, journal::kept_event event);
  net::task<text::failure> put_end(std::string run, ui::time_point at);
  net::task<text::failure> put_surplus(std::string run);
  net::task<bool> push(std::string run);
  bool is_kept_here_first(const std::string& run) const;
  void push_soon(const std::string& run);
  net::task<text::failure> look(std::string run);
  net::task<text::failure> read_on(std::string run);
  net::task<text::failure> take(std::string run, stored_message stored);
  net::task<bool> follow_on(std::string run, std::shared_ptr<cluster::reader> reads);
  void start_again(const std::string& run);
  text::failure wrong_with(const std::string& run, text::failure why);
  static void advance(tail& at, const record& by);

  boost::asio::io_context& io_;
  jetstream& in_;
  journal::run_log& local_;
  options given_;
  std::string stream_, subjects_;
  std::map<std::string, tail, std::less<>> tails_;
  net::worker_thread reads_files_;
  std::uint64_t begun_again_ = 0;
};

}  // namespace tofud::cluster
