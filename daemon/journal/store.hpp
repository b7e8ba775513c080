// What a daemon must never lose: the streams, events and times of its runs, and an index of them.
#pragma once

#include "daemon/files/limits.hpp"
#include "daemon/files/stream_bytes.hpp"
#include "daemon/journal/disk.hpp"
#include "daemon/journal/kept_run.hpp"
#include "daemon/journal/retention.hpp"
#include "daemon/journal/run_query.hpp"
#include "daemon/journal/store_facts.hpp"
#include "daemon/journal/writer.hpp"
#include "daemon/net/task.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::journal {

struct options {
  /// New runs and bytes are refused when less than the smaller of these is free; 0: never.
  std::uint64_t free_bytes = limits::free_bytes;
  unsigned free_percent = limits::free_percent;
  /// Troubles that no completion tells, as sentences; called on the loop.
  std::function<void(std::string sentence)> said = [](const std::string&) {};
  /// The index was damaged while it was used and is empty now: whoever folds runs calls reindex().
  /// Called on the loop, after `said`.
  std::function<void()> index_lost = [] {};
  /// What folds streams into views, such as a version: views in the index that another one made are
  /// not used.
  std::string made_by;
  /// What the journal's files are written with; outlives the store. Null: the real disk.
  disk* on = nullptr;
};

/// By a person: nobody uploads it again, and its durations are forgotten as well.
enum class removed_by : std::uint8_t { person, retention };

/// All member functions are called on the loop, and all completions run there, later. What a
/// coroutine awaits (a `net::task`) is the same: once asked for it is done, whoever waits for it.
/// Whatever asks for the disk is done by one thread, in the order of the calls for one run. A
/// failure is a sentence; nothing of what failed has happened, and asking again is right when the
/// disk has room again. The destructor finishes what waits.
class store {
 public:
  /// Makes ROOT and what belongs in it (0700), and locks it: the failure says who can't share it.
  static boost::system::result<std::unique_ptr<store>, std::string> open(
      boost::asio::io_context& loop, const std::string& root, options given);
  ~store();
  store(const store&) = delete;
  store& operator=(const store&) = delete;

  /// Once, before anything else: finds the runs, newest first, cuts torn tails and finishes what a
  /// crash interrupted. Waits for the disk. Remarks about what is no run go to `said`; those about
  /// a run are in it.
  std::vector<kept_run> recover();

  /// Whether a run may get this id: there is none of that name, nor was one removed by a person.
  bool is_free(std::string_view id) const;

  /// Done: the run is on disk and takes bytes. Its id is one that is_free().
  void create(run_header header, on_done done);
  net::task<std::string> create(run_header header);

  /// Appends to the stream. Done: all of it is on disk; or none of it counts, and `offset` is as
  /// before. One in flight per run.
  void append(const std::string& run, std::string bytes, ui::time_point arrived,
              std::function<void(append_result)> done);

  net::task<append_result> append(const std::string& run, std::string bytes,
                                  ui::time_point arrived);

  /// Event `n` follows n-1. Its text is kept as as_line() gives it. Done: it is on disk.
  void add_event(const std::string& run, kept_event event, on_done done);
  net::task<std::string> add_event(const std::string& run, kept_event event);

  /// Where the document `name` (such as "plan.json") of a run lies once it is kept.
  std::string attachment_path(const std::string& run, std::string_view name) const;
  /// Writes a document beside its place, on the calling thread, which may be any while this lives,
  /// one at a time for each run. "" or why it could not be written.
  std::string write_attachment(const std::string& run, std::string_view name,
                               std::string_view text) const;
  /// Done: what was written under these names is on disk and has taken its place; whole, also after
  /// a crash. With a failure some of them may have.
  void keep_attachments(const std::string& run, std::vector<std::string> names, on_done done);
  net::task<std::string> keep_attachments(const std::string& run, std::vector<std::string> names);

  /// Removes what was written and is not to be kept.
  void clear_attachments(const std::string& run, std::function<void()> done);
  net::task<bool> clear_attachments(const std::string& run);

  /// No more bytes come. Done: that is on disk. The stream is compressed some time later.
  void complete(const std::string& run, ui::time_point at, on_done done);
  net::task<std::string> complete(const std::string& run, ui::time_point at);

  /// Done: there is no such run any more, nor will be after a crash.
  void remove(const std::string& run, removed_by whom, ui::time_point at, on_done done);
  net::task<std::string> remove(const std::string& run, removed_by whom, ui::time_point at);
  /// By the id of the run or of its upload.
  bool removed_by_person(std::string_view id) const;
  /// Removes what is beyond a limit, as beyond() says; `keep` is asked before this returns.
  void retain(const retention& kept, ui::time_point now,
              const std::function<bool(const std::string& run)>& keep,
              std::function<void(std::vector<std::string> removed)> done);

  /// Empty: there is no such stream, or it can't be opened.
  /// A description of its own, so it goes on while the run is compressed, and after it was removed.
  /// Reads up to what is written, which may be beyond what is acknowledged: ask for no more than
  /// that. Going on from where the last read ended is cheap; in a compressed stream going elsewhere
  /// unpacks all before it.
  files::stream_bytes reader(const std::string& run) const;

  /// When its bytes came, oldest first. Reads the whole file on the calling thread.
  std::vector<arrival> arrivals(const std::string& run) const;

  /// The index. What a list shows of a run is what was put last; a run that was removed is in none.
  void put(indexed_run run, on_done done);
  void list(run_query query, std::function<void(run_list)> done);
  net::task<run_list> list(run_query query);
  /// How long operations took. What a run adds takes the place of what it added before, and stays
  /// when retention removes the run.
  void add_history(const std::string& run, std::vector<operation> operations, on_done done);
  void find_durations(std::vector<duration_query> queries, std::function<void(durations)> done);
  /// Empties the index but for the history of runs that are no longer there: after it, whoever
  /// folds runs puts them and adds their history again.
  void reindex(on_done done);
  net::task<std::string> reindex();

  /// Asks the file system how much is free, on the calling thread.
  store_facts facts() const;
  /// Calls `done` on the loop when the journal's thread has come by: it neither hangs nor waits for
  /// a disk that does not answer.
  void tick(std::function<void()> done);

 private:
  struct state;
  explicit store(std::unique_ptr<state> made);
  std::unique_ptr<state> state_;
};

}  // namespace tofud::journal
