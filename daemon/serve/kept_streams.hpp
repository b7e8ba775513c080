// The streams of this daemon: those that are sent, and those that are kept.
#pragma once

#include "daemon/api/run_reads.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/foresight/past_estimates.hpp"
#include "daemon/foresight/usual_times.hpp"
#include "daemon/history/operation.hpp"
#include "daemon/history/operations_of_run.hpp"
#include "daemon/http/limits.hpp"
#include "daemon/journal/store.hpp"
#include "daemon/net/task.hpp"
#include "daemon/net/worker_thread.hpp"
#include "daemon/registry/run_registry.hpp"
#include "daemon/serve/fold_deaths.hpp"
#include "daemon/serve/indexed_views.hpp"
#include "daemon/serve/ingested_run.hpp"
#include "daemon/serve/live_runs.hpp"
#include "daemon/serve/sharing.hpp"
#include "daemon/serve/walls.hpp"
#include "daemon/settings/limits.hpp"
#include "protocol/history/report.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/upload/limits.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/result.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::serve {

/// Every stream is known by its run's id; a stream with several runs shows ID, ID.2, … Rows and
/// lines of a run are in memory while it goes on or somebody looks at it; its view always is.
class kept_streams {
 public:
  struct run_page {
    // Newest first; valid until somebody else has his turn.
    std::vector<const registry::shown_run*> runs;
    std::string next;            // the cursor of the page after it; empty: there is none
    feed::status_counts counts;  // of streams, by their newest run, if they were asked for
    journal::query_trouble trouble = journal::query_trouble::none;
    text::failure failure;
  };

  struct options {
    correlator::text_policy shows;
    fanout::topic_limits kept;  // of each run
    std::string base_path;      // see feed::run_path
    live_runs::bounds live;
    std::size_t loaded_bytes = limits::loaded_bytes;  // rows of all runs in memory
    std::size_t memory_bytes = limits::memory_bytes;  // all that is counted (held_memory.hpp)
    std::string folding_file;  // see fold_deaths; empty: nothing is remembered
    /// Of ended runs of other daemons, here (settings: cluster.copied_bytes).
    std::uint64_t copied_bytes = limits::run_copies_bytes;
  };

  /// `shared` outlives the runs; null: this daemon is alone.
  kept_streams(boost::asio::io_context& io, journal::store& store, fanout::hub& hub,
               const options& chosen, sharing* shared = nullptr);
  ~kept_streams();

  /// What was there when the daemon started. Runs that go on are folded first, newest first, then
  /// those the index does not know.
  void recover(std::vector<journal::kept_run> kept);
  /// Of the streams that were there at the start, those still to be folded.
  std::size_t to_recover() const { return recovering_.size(); }
  /// Of these, the runs that go on.
  std::size_t going_on_to_recover() const { return going_on_to_recover_; }
  /// Calls `done` on the loop once, when there are none of these any more.
  void when_caught_up(std::function<void()> done);
  void begin();  // the sweep; there is a loop from now on
  void stop();
  /// For what would hold the loop; it lives as long as this.
  net::worker_thread& worker() { return worker_; }
  // ---- where several daemons share their runs (kept_elsewhere.cpp) ---------------------------

  bool is_shared() const { return shared_ != nullptr; }
  /// What senders say goes there.
  journal::run_log& log() { return shared_ == nullptr ? store_ : shared_->log(); }
  /// What another daemon says of a run. `over`: its log has its end.
  struct told_elsewhere {
    journal::run_header header;
    bool is_over = false;
    std::string views;  // see views_so_far_in
  };
  /// Makes a run known that others have, with nothing of its stream.
  net::task<text::failure> adopt(journal::run_header header);
  /// The run is known. What is folded here is newer than what was said.
  void learn_elsewhere(const told_elsewhere& told);
  /// See walls: what was told with that revision comes next.
  void go_on_from(std::uint64_t revision) { walls_.go_on_from(revision); }
  /// All that was told of it is shown.
  void told_of(const std::string& id);
  /// This daemon takes it in, from here on.
  void taken_here(const std::string& id);
  bool may_take(const std::string& id) const;
  /// Calls `ready` once this daemon may take what a sender says of the run: nothing, or why not.
  void take_over(std::string id, http::router::when_ready ready);
  /// Calls `ready` once all bytes of the run are here that can be had.
  void bring(const std::string& id, std::function<void()> ready);
  /// Makes a run known that others have, if there is one. `ready` gets why nobody can say.
  void find_elsewhere(const std::string& id, std::function<void(text::failure)> ready);
  /// Makes an upload known that another daemon takes in.
  net::task<text::failure> find_upload(std::string upload_id);
  /// Runs that this daemon takes in and whose senders were heard of since `since`.
  std::vector<std::string> heard_since(ingested_run::steady::time_point since) const;
  /// What other daemons hear of is not known here now.
  void could_not_hear();
  /// Ended runs whose streams are all here, the newest first, as their headers have them.
  std::vector<journal::run_header> whole_runs() const;
  /// What lists and walls show of it is told once more.
  void tell_again(const std::string& id) { dirty_.insert(id); }
  /// Streams that have ended and whose end is news (limits::told_oldest_run).
  std::vector<std::string> ended() const;
  /// The first of all that have ended; empty: none has.
  std::string oldest_ended() const;
  /// Their listener hears of it as if it had just been.
  void tell_end(const std::string& id);
  /// What others have may be lost: all that this daemon has is looked at again.
  void doubt_all();
  /// Runs that go on and that this daemon takes in.
  std::vector<std::string> taken_in() const;
  /// Runs of forwarders of which nothing came yet, or of which nothing is here.
  std::vector<std::string> only_begun() const;
  /// Runs that go on and that nobody can send again.
  std::vector<std::shared_ptr<ingested_run>> sent_once() const;
  net::task<text::failure> finish_broken(std::string id);

  /// Takes no more uploads.
  void drain() { draining_ = true; }
  bool is_draining() const { return draining_; }

  /// Why no more runs are taken now, since those that are loaded take the memory there is; empty:
  /// there is room.
  std::string why_full() const;
  /// Why nobody is given anything that takes memory; empty: there is room.
  std::string why_all_full() const;
  /// What all that is counted may take.
  std::size_t memory_bytes() const { return may_take_.all; }

  const ingest_counts& counts() const { return counts_; }
  void count_events_limit() { ++counts_.events_limit; }
  void count_memory_limit() { ++counts_.memory_limit; }
  void count_attachments_limit() { ++counts_.attachments_limit; }
  /// How long the oldest bytes wait that came in and are not stored and folded yet; 0: none do.
  std::chrono::nanoseconds lag() const;

  /// The stream of a run: ID, ID.2 or `latest`; null: there is none that he may see who asks.
  std::shared_ptr<ingested_run> find(std::string_view id, const access::principal& by) const;
  /// For who changes it.
  std::shared_ptr<ingested_run> of_id(std::string_view id) const;
  std::shared_ptr<ingested_run> by_upload(const std::string& upload_id) const;
  /// Whether a run of that id or upload_id was removed by a person.
  bool was_removed(const std::string& id_or_upload) const;
  /// When nobody makes a run of that upload any more; at once if nobody does.
  net::task<bool> made(std::string upload_id);
  /// The places of runs that go on, and of those that are being made. A run whose sender is lost
  /// has none until it is heard of again.
  live_runs& live() { return live_; }
  const live_runs& live() const { return live_; }
  /// Runs that go on.
  std::size_t going_on() const { return live_.count() - being_made_; }
  /// That run is sent by `sender` (see sender_of), if nobody knew by whom.
  void sent_by(const ingested_run& run, const std::string& sender);
  /// Of what comes from now on, and of runs that are read from disk. What is in memory because
  /// somebody watches it stays as it is.
  void show(correlator::text_policy shows);
  /// `wish` if it is free and no id of the future (limits::wished_id_apart), else
  /// a new one.
  std::string free_id(const std::string& wish) const;

  using created = text::result<std::shared_ptr<ingested_run>>;
  /// Whether there is room for it is for the caller to ask.
  net::task<created> create(journal::run_header header, std::string sender);
  /// For good; viewers are told, senders too. Gives the failure, or nothing.
  net::task<text::failure> remove(std::string id, journal::removed_by whom);
  /// What the journal has let go.
  void forget(const std::string& id);
  /// Somebody watches it, or sends it: it is not to go now.
  bool is_in_use(const std::string& id) const;
  /// Gives the failure, or nothing. What was given up is tried again.
  net::task<text::failure> reindex();
  /// The same of one run. False: there is none that he may see who asks.
  bool read_again(std::string_view id, const access::principal& by);
  /// Why nobody tries to read that run any more, and what to do; empty: it can be read.
  std::string why_unreadable(std::string_view id) const;
  /// Why it can't be read now, since it takes more memory than there is; empty: it can.
  std::string why_no_room_for(std::string_view id) const;

  const registry::run_registry& shown() const { return shown_; }
  /// See run_registry::walk.
  std::optional<registry::run_registry::place> look_through(
      registry::run_registry::place from, const std::function<bool(registry::shown_run&)>& each) {
    return shown_.walk(from, each);
  }
  /// Called when a stream has ended and its runs' rows are in memory. The index knows of the end
  /// once `done` was called: a crash before that, and the next start tells it again.
  /// `again`: it ended before this daemon began, and is read anew.
  /// `elsewhere`: another daemon takes it in, and sees to what its end brings.
  enum class ending : std::uint8_t { just_now, again, elsewhere };
  using end_listener =
      std::function<void(const ingested_run&, const std::vector<registry::shown_run*>&, ending,
                         std::function<void()> done)>;
  void on_end(end_listener told) { ended_ = std::move(told); }
  /// Calls `ready` when the run is in memory; at once if there is no such run.
  void load(std::string_view id, std::function<void()> ready);
  serve::walls& walls() { return walls_; }
  const serve::walls& walls() const { return walls_; }
  /// What who asks may see of the feed. His wall is there (walls::prepare).
  fanout::viewer viewer_of(const http::request& asked) const;
  /// Newest first, of those that he may see who asks.
  net::task<run_page> list(feed::run_query query, const access::principal& by);
  /// As far as he may see it who asks.
  net::task<std::vector<feed::address_usual>> usual_of_stack(const std::string& stack,
                                                             const access::principal& by) {
    return store_.usual_of_stack(stack, limits::stack_usual_most, access::run_filter_of(by));
  }
  /// When runs were expected to be over at past moments.
  const foresight::past_estimates& past() const { return foretold_.past; }
  /// Whether somebody may see some runs only: then no run is told what other stacks' runs took.
  void limit_views(bool limited);
  void find_history(history::report_query query, const access::principal& by,
                    std::function<void(text::result<history::report>)> found) {
    store_.find_history(std::move(query), access::run_filter_of(by), std::move(found));
  }

 private:
  struct stream {
    std::shared_ptr<ingested_run> run;
    std::vector<registry::shown_run*> shown;  // ID, ID.2, …
    std::string sender;                       // empty: unknown, or not counted
    live_place place;                         // while it goes on
    bool ends_here = false;                   // its end is counted when it comes
    std::size_t let_go_at = 0;  // bytes its fold took when it had to go; 0: it did not
  };
  /// A completion for what can be done without: the next start does it again.
  static journal::on_done said(const char* what);
  ingested_run::listeners listeners();
  /// Asks the journal how long operations take; for as long as this lives.
  foresight::usual_asker usual();
  stream& add(journal::kept_run kept, live_place place);
  void show_indexed(const std::vector<journal::indexed_run>& known);
  registry::shown_run& show(stream& of, feed::run_view view);
  void began(ingested_run& run, pipeline::run& folded);
  void changed(ingested_run& run, pipeline::run& folded);
  void over(ingested_run& run);
  struct done_by_run {
    std::string run;
    std::shared_ptr<const void> keeps;                // what `states` are of
    std::deque<const correlator::run_state*> states;  // front: from there on
    std::optional<history::operations_of_run> of;     // of the first one, once it was begun
    std::vector<history::run_operations> did;
  };
  void add_history(const std::shared_ptr<done_by_run>& did);
  std::vector<history::said_estimate> judge(const ingested_run& of,
                                            const correlator::run_state& run);
  static bool has_news_for_card(registry::shown_run& shown);
  void learn(registry::shown_run& shown);
  void learn(registry::shown_run& shown, const ingested_run& of);
  void unload(stream& which, const fanout::refusal& why = fanout::run_is_gone);
  bool watched(const stream& which) const;
  void put_dirty();
  void put(const stream& which);
  void recover_next();
  void say_caught_up();
  void sweep_later();
  void sweep();
  void look_after(stream& which);
  void unload_idle();
  void look_after_memory();
  bool has_room_for(const stream& which) const;
  void drop_copies();
  net::task<bool> drop_copy(std::shared_ptr<ingested_run> run);
  net::task<text::failure> open_shared(journal::run_header& header);
  void look_after_elsewhere(stream& which);
  void show_contact(stream& which);
  void let_go(stream& which);
  void show_unreadable(stream& which);
  void read_again(ingested_run& run);
  stream* stream_of(std::string_view id);
  const stream* stream_of(std::string_view id) const;

  boost::asio::io_context& io_;
  net::worker_thread worker_;
  net::worker_thread folder_;  // of rows that are to be kept: that takes a second or more
  journal::store& store_;
  serve::walls walls_;
  registry::run_registry shown_;
  correlator::text_policy shows_;
  fanout::topic_limits kept_;
  std::string base_path_;
  struct may_take {
    std::size_t rows, all;  // bytes of memory
    std::uint64_t copies;   // of disk, uncompressed
  } may_take_;
  sharing* shared_;
  live_runs live_;
  fold_deaths deaths_;
  boost::asio::steady_timer sweep_clock_;
  std::map<std::string, stream, std::less<>> streams_;  // by id
  std::map<std::string, std::string> by_upload_;
  std::map<std::string, std::vector<std::function<void()>>> making_;  // by upload_id: who waits
  std::set<std::string> dirty_;          // streams of which the index does not know the newest
  std::deque<std::string> recovering_;   // front: being folded
  std::size_t going_on_to_recover_ = 0;  // the first of `recovering_`
  std::function<void()> caught_up_;
  end_listener ended_;
  ingest_counts counts_;
  std::size_t being_made_ = 0;
  bool draining_ = false;
  struct foretold {
    foresight::past_estimates past;
    bool is_limited = false;  // see limit_views
  } foretold_{foresight::past_estimates{usual()}};
  std::uint64_t sweeps_ = 0;
};

}  // namespace tofud::serve
