// One stream that was sent to this daemon: what the journal has of it, and its fold while somebody
// needs that.
#pragma once

#include "daemon/attachments/documents.hpp"
#include "daemon/cluster/copy.hpp"
#include "daemon/files/stream_bytes.hpp"
#include "daemon/foresight/usual_times.hpp"
#include "daemon/journal/run_log.hpp"
#include "daemon/net/task.hpp"
#include "daemon/net/turns.hpp"
#include "daemon/net/worker_thread.hpp"
#include "daemon/operations/held_memory.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/registry/run_registry.hpp"
#include "daemon/serve/ingest_counts.hpp"
#include "daemon/serve/kept_rows.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/serve/sender_contact.hpp"
#include "daemon/wall/clock_offset.hpp"
#include "protocol/events/event.hpp"
#include "protocol/upload/placement.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tofud::serve {

/// The fold reads what the journal has, so that a run that is sent, one that is recovered and one
/// that is opened again come out alike. Used by the loop's thread; completions keep it alive.
class ingested_run final : public registry::run_source,
                           public cluster::copy,
                           public std::enable_shared_from_this<ingested_run> {
 public:
  using steady = std::chrono::steady_clock;
  struct listeners {
    std::function<void(ingested_run&, pipeline::run&)> began;  // of the fold: one or more a stream
    std::function<void(ingested_run&, pipeline::run&)> changed;
    std::function<void(ingested_run&)> over;  // folded to its end
    ingest_counts* counts;                    // lives as long as any run
    foresight::usual_asker usual = {};        // how long operations take; lives as long
  };

  /// Where it is kept: `all` takes what senders say, `here` is this machine's part of that.
  struct logs {
    journal::run_log& all;
    journal::run_log& here;
  };
  /// What is done beside the loop: documents and kept rows are read by one thread, rows to be kept
  /// are made by another, as long as all folds together take no more than so many bytes of memory.
  struct threads {
    net::worker_thread& reads;
    net::worker_thread& folds;
    std::size_t most_memory;
  };
  /// `base_path`: see feed::run_path.
  ingested_run(boost::asio::io_context& io, threads beside, logs kept_in, journal::kept_run kept,
               correlator::text_policy shows, fanout::topic_limits limits, listeners told,
               std::string base_path = {});
  ~ingested_run() override;

  const journal::run_header& header() const { return kept_.header; }
  const std::string& id() const { return kept_.header.id; }
  upload::upload_state state() const { return {kept_.bytes, kept_.complete}; }
  std::uint64_t kept_bytes() const { return kept_.bytes; }
  /// Nothing is added any more: here, or in the log that several daemons share.
  bool complete() const { return kept_.complete || elsewhere_.is_over; }
  const std::vector<journal::kept_event>& events() const { return kept_.events; }
  /// The same, read.
  const std::vector<events::event>& parsed_events() const { return parsed_events_; }
  /// Of the journal's bytes.
  files::stream_bytes reader() const;

  // ---- what the sender says; one append at a time (see `alone`) ----------------------------
  // What is awaited is done to its end, whoever waits: the run holds itself meanwhile. It gives the
  // failure, or an empty one.

  /// At the journal's end. Bytes that the disk refuses are folded all the same: live viewers are
  /// not to wait for a disk.
  net::task<text::failure> append(std::string bytes);
  net::task<text::failure> add_event(journal::kept_event event);
  net::task<text::failure> finish();
  /// The same of a stream whose rest nobody can send. Not finished if that can't be kept: it would
  /// look whole.
  net::task<text::failure> finish_broken();
  /// Bytes that can't be stored any more, of a sender who can't send them again.
  void show_only(std::string_view bytes);

  /// How long the stream is once what is being written is on disk.
  std::uint64_t appended() const { return kept_.bytes + appending_; }
  /// Reads these as the journal has them, for the fold, if there is one; on the worker, so that the
  /// loop goes on.
  net::task<bool> read_parts(std::vector<feed::attachment> parts);
  /// The journal's file of the attached plan is another one now; it was read.
  void plan_was_replaced();

  /// When nobody else adds to the run; null after limits::busy_wait.
  net::task<net::turn> alone() { return turns_->take(limits::busy_wait); }

  // ---- where several daemons share its log ---------------------------------------------------

  /// Another daemon takes it in, as far as was heard: it is folded here for who looks at it only.
  struct elsewhere {
    bool is_taken = false;
    bool is_over = false;
    bool operator==(const elsewhere&) const = default;
  };
  void set_elsewhere(elsewhere known) { elsewhere_ = known; }
  const elsewhere& is_elsewhere() const { return elsewhere_; }
  /// Bytes of it are not here that are in the log.
  bool is_partial() const { return elsewhere_.is_taken && !kept_.complete; }

  const journal::run_header& copied_header() const override { return kept_.header; }
  /// Nothing of it is here any more, nor folded; another daemon took it in.
  void become_stub();

  std::uint64_t copied_bytes() const override { return kept_.bytes; }
  const std::vector<journal::kept_event>& copied_events() const override { return kept_.events; }
  bool is_copied_whole() const override { return kept_.complete; }
  /// Nobody may resume it: it has no forwarder.
  bool is_sent_once() const { return kept_.header.upload_id.empty(); }
  bool is_sent_here() const override { return contact_.was_connected(); }
  net::task<std::shared_ptr<const void>> alone_to_copy() override { return alone(); }
  net::task<text::failure> take(cluster::record what) override;

  /// Its sender was heard of before this daemon was started, and not since.
  bool is_from_before() const { return contact_.is_from_before(); }
  /// The sender was heard of.
  void heard();
  /// Whom another daemon hears, which can't be reached.
  void could_not_hear() { contact_.could_not_hear(); }
  /// The sender has a connection open for the whole stream: silent is not gone.
  void set_connected(bool connected);
  bool was_heard_since(steady::time_point since) const { return contact_.heard_since(since); }
  feed::run_contact contact() const;
  /// To be called now and then: says so when the sender has fallen silent.
  void look_after_contact();
  /// The same: where nothing came for a while, a run that may wait for an approval says that it
  /// does.
  void look_after_silence();

  /// It can't be folded: `load` finds nothing.
  void give_up() { given_up_ = true; }
  /// It may be tried again.
  void take_up() { given_up_ = false; }
  bool is_given_up() const { return given_up_; }

  /// Somebody removed it: nothing is taken any more, and nothing is folded.
  void remove();
  bool is_removed() const { return removed_; }

  /// When what is being folded came in; nothing: it was in the journal already.
  std::optional<steady::time_point> came_at() const { return came_at_; }
  /// The oldest bytes came in then that are not on disk and folded yet; nothing: there are none.
  std::optional<steady::time_point> behind_since() const { return behind_since_; }

  // ---- the fold ---------------------------------------------------------------------------

  /// Folds what there is, in turns of the loop, and calls `ready` once; at once if it is folded.
  void load(std::function<void()> ready);
  net::task<bool> load();
  bool is_loaded() const { return folded_ != nullptr && waiting_.empty() && !source_.turn_due; }
  struct folding {
    folding(kept_rows of, pipeline::run_topics::listeners told, const fanout::topic_limits& limits)
        : owned{std::move(of.rows)},
          rows{*owned},
          topics{rows, std::move(told), limits, std::move(of.lines)} {}
    void weigh() {
      weighed_at = rows.offset();
      held.hold(rows.memory() + (usual ? usual->memory() : 0));
    }
    std::unique_ptr<pipeline::engine> owned;
    pipeline::engine& rows;
    pipeline::run_topics topics;
    std::unique_ptr<foresight::usual_times> usual;  // null: the run is over
    operations::held_memory held{operations::memory_for::rows};
    std::uint64_t weighed_at = 0;  // offset of the stream when `held` was told
  };
  /// Null: not in memory.
  folding* folded() const { return folded_.get(); }
  /// It was folded to its end, now or before this daemon started.
  bool is_over() const { return over_; }
  void restore_finished() { over_ = true; }
  /// Its end is news again: whoever hears of it has forgotten it.
  void fold_again() { over_ = false; }
  /// Keeps what is folded in memory for as long as somebody holds it.
  std::shared_ptr<const void> keep_folded() override;
  files::stream_bytes bytes() const override { return reader(); }
  bool is_folded_again() const override { return over_ && !is_loaded(); }
  bool goes_on() const override { return !complete(); }
  const std::vector<feed::label>& granted() const override { return kept_.header.granted; }
  /// Of what is folded from now on.
  void show(correlator::text_policy shows);
  /// Lets go of the fold. Nobody may watch it.
  void unload();
  void surroundings_changed();
  /// About how many bytes of memory its fold takes now; 0: it is not there.
  std::size_t memory();
  /// Somebody reads what is folded: `unload` would free nothing yet.
  bool is_kept_by_others() const;
  steady::time_point used_at() const { return used_at_; }
  void used() { used_at_ = steady::now(); }

  /// What was known of the sender's clock before this daemon started.
  void restore_clock_offset(std::optional<std::chrono::microseconds> offset) {
    clock_ = wall::clock_offset{offset};
  }

 private:
  net::task<text::failure> store(journal::run_log& in, std::string bytes, ui::time_point arrived);
  net::task<text::failure> store(journal::run_log& in, journal::kept_event event);
  net::task<text::failure> take_bytes(cluster::record what);
  net::task<text::failure> take_document(cluster::record piece);
  correlator::run_identity identity() const;
  void overlay(feed::run_view& view) const;
  void remember(const journal::kept_event& event);
  bool attach(const events::attachment& said, attachments::documents& known);
  net::task<bool> read_and_begin();
  /// `restored`: the whole of it, as it was read.
  void begin_fold(kept_rows restored);
  bool may_keep_rows() const;
  row_sources sources() const;
  void keep_rows();
  std::uint64_t folded_upto() const { return folded_ ? folded_->rows.offset() : 0; }
  void fold(std::string_view bytes);
  std::uint64_t foldable() const;
  void note_clock(ui::time_point arrived);
  void say_refusal(const std::string& failure);
  void open_source();
  void close_source();
  void pump();
  void take_turn();
  void settle();

  boost::asio::io_context& io_;
  threads beside_;
  logs kept_in_;
  journal::kept_run kept_;
  elsewhere elsewhere_;
  correlator::text_policy shows_;
  fanout::topic_limits limits_;
  std::string base_path_;
  std::vector<events::event> parsed_events_;
  listeners told_;
  sender_contact contact_;
  steady::time_point newest_bytes_at_ = steady::now();
  wall::clock_offset clock_;
  std::optional<ui::time_point> newest_stamp_;
  steady::time_point used_at_ = steady::now();

  bool removed_ = false, given_up_ = false;
  bool refused_ = false;  // by the disk, and that was said
  std::shared_ptr<net::turns> turns_{std::make_shared<net::turns>(io_)};

  std::uint64_t appending_ = 0;  // bytes that are being written
  /// Where events that are being written take effect: the fold waits for them there.
  std::multiset<std::uint64_t> due_;

  std::map<feed::attachment, attachments::documents::read_part> read_parts_;  // not attached yet
  bool reading_ = false;  // what is attached, before there is a fold
  std::string document_;  // pieces of one that is taken from the log
  std::shared_ptr<folding> folded_;
  struct source {  // of the fold, while it is made from the journal
    files::stream_bytes bytes;
    std::vector<char> room;
    bool turn_due = false;
  } source_;
  std::uint64_t counted_upto_ = 0;  // beyond it, what is folded counts as come in
  std::optional<steady::time_point> came_at_, behind_since_;
  std::vector<std::function<void()>> waiting_;
  bool over_ = false, ended_ = false;
  bool has_kept_rows_ = false;  // this fold was read, or is made to be kept
  std::shared_ptr<std::atomic<bool>> rows_wanted_{std::make_shared<std::atomic<bool>>(true)};
};

}  // namespace tofud::serve
