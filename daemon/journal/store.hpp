// What a daemon must never lose: the streams, events and times of its runs, and an index of them.
#pragma once

#include "daemon/files/limits.hpp"
#include "daemon/files/stream_bytes.hpp"
#include "daemon/history/operation.hpp"
#include "daemon/history/usual.hpp"
#include "daemon/journal/disk.hpp"
#include "daemon/journal/kept_run.hpp"
#include "daemon/journal/retention.hpp"
#include "daemon/journal/run_log.hpp"
#include "daemon/journal/run_query.hpp"
#include "daemon/journal/store_facts.hpp"
#include "daemon/journal/writer.hpp"
#include "daemon/net/task.hpp"
#include "daemon/sqlite/database.hpp"
#include "protocol/history/report.hpp"
#include "protocol/text/failure.hpp"

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
/// failure: nothing of what failed has happened, and asking again is right when the
/// disk has room again. The destructor finishes what waits.
class store final : public run_log {
 public:
  /// Makes ROOT and what belongs in it (0700), and locks it: the failure says who can't share it.
  static text::result<std::unique_ptr<store>> open(boost::asio::io_context& loop,
                                                   const std::string& root, options given);
  ~store() override;
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
  net::task<text::failure> create(run_header header);

  // ---- a run_log: kept means on disk -------------------------------------------------------

  void append(const std::string& run, std::string bytes, ui::time_point arrived,
              std::function<void(append_result)> done);
  net::task<append_result> append(const std::string& run, std::string bytes,
                                  ui::time_point arrived) override;
  void add_event(const std::string& run, kept_event event, on_done done);
  net::task<text::failure> add_event(const std::string& run, kept_event event) override;
  std::string rows_path(const std::string& run) const override;
  text::failure write_rows(const std::string& run, std::string_view text) const override;
  void rows_were_written(const std::string& run) override;
  std::string attachment_path(const std::string& run, std::string_view name) const override;
  text::failure write_attachment(const std::string& run, std::string_view name,
                                 std::string_view text) const override;
  void keep_attachments(const std::string& run, std::vector<std::string> names, on_done done);
  net::task<text::failure> keep_attachments(const std::string& run,
                                            std::vector<std::string> names) override;
  void clear_attachments(const std::string& run, std::function<void()> done);
  net::task<bool> clear_attachments(const std::string& run) override;
  /// The stream is compressed some time later.
  void complete(const std::string& run, ui::time_point at, on_done done);
  net::task<text::failure> complete(const std::string& run, ui::time_point at) override;
  files::stream_bytes reader(const std::string& run) const override;
  std::vector<arrival> arrivals(const std::string& run) const override;

  // ---- runs come and go ----------------------------------------------------------------------

  /// Done: there is no such run any more, nor will be after a crash.
  void remove(const std::string& run, removed_by whom, ui::time_point at, on_done done);
  net::task<text::failure> remove(const std::string& run, removed_by whom, ui::time_point at);
  /// By the id of the run or of its upload.
  bool removed_by_person(std::string_view id) const;
  /// Removes what is beyond a limit, as beyond() says; `runs` is asked before this returns.
  void retain(const retention& kept, ui::time_point now, const asked_of_runs& runs,
              std::function<void(std::vector<std::string> removed)> done);

  /// The index. What a list shows of a run is what was put last; a run that was removed is in none.
  void put(indexed_run run, on_done done);
  /// `seen`: see index; it is asked on the journal's thread.
  void list(run_query query, sqlite::row_filter seen, std::function<void(run_list)> done);
  net::task<run_list> list(run_query query, sqlite::row_filter seen = nullptr);
  /// How long operations took. What a run adds takes the place of what it added before, and stays
  /// when retention removes the run.
  void add_history(const std::string& run, std::vector<history::run_operations> did, on_done done);
  /// The same of a run that need not be here.
  void add_history_of_others(const std::string& run, std::vector<history::run_operations> did,
                             on_done done);
  void find_history(history::report_query query, sqlite::row_filter seen,
                    std::function<void(text::result<history::report>)> done);
  net::task<text::result<history::report>> find_history(history::report_query query,
                                                        sqlite::row_filter seen = nullptr);
  /// See history::usual_of_stack; nothing if it can't be read.
  net::task<std::vector<feed::address_usual>> usual_of_stack(std::string stack, std::size_t most,
                                                             sqlite::row_filter seen = nullptr);
  /// One for each query, in their order.
  using usual_answer = text::result<std::vector<std::optional<history::usual>>>;
  void find_usual(std::vector<history::usual_query> queries,
                  std::function<void(usual_answer)> done);
  /// Empties the index but for the history of runs that are no longer there: after it, whoever
  /// folds runs puts them and adds their history again.
  void reindex(on_done done);
  net::task<text::failure> reindex();

  /// Asks the file system how much is free, on the calling thread.
  store_facts facts() const;
  /// Calls `done` on the loop when the journal's thread has come by: it neither hangs nor waits for
  /// a disk that does not answer.
  void tick(std::function<void()> done);

 private:
  struct state;
  void add_history(const std::string& run, std::vector<history::run_operations> did,
                   bool is_known_only, on_done done);
  explicit store(std::unique_ptr<state> made);
  std::unique_ptr<state> state_;
};

}  // namespace tofud::journal
