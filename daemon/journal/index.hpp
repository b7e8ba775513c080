// The runs as lists and searches see them, and how long operations took: SQLite, made again from
// the run directories whenever it is lost. Used by the journal's thread only.
#pragma once

#include "daemon/history/operation.hpp"
#include "daemon/history/usual.hpp"
#include "daemon/journal/run_query.hpp"
#include "daemon/sqlite/database.hpp"
#include "protocol/history/report.hpp"
#include "protocol/text/failure.hpp"

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tofud::journal {

/// Remembers an open database. A failure leaves it as it was; a
/// damaged file is put aside, and from then on the index is empty.
class index {
 public:
  /// `made_by`: what folds streams into views; if it is another than before, the views of before
  /// are not used.
  index(std::string path, std::string made_by);
  ~index();

  /// Sentences about what had to be put aside; each is returned once.
  std::vector<std::string> remarks();

  text::failure put(const indexed_run& run);
  text::failure forget(const std::string& run, history_of_run durations);
  /// `seen`: by a run's stack and what was granted to it (feed::labels_text), whether it may be in
  /// the list, and be counted.
  run_list list(const run_query& query, const sqlite::row_filter& seen = nullptr);
  /// All of them, in no order; empty if it can't be read.
  std::vector<indexed_run> all();

  /// Of a run in the stream of that id.
  text::failure add_history(const std::string& stream, const history::remembered_run& run,
                            std::span<const history::operation> operations);
  text::failure forget_history(const std::string& stream);
  text::result<history::report> find_history(const history::report_query& query,
                                             const sqlite::row_filter& seen = nullptr);
  text::result<std::vector<feed::address_usual>> usual_of_stack(
      const std::string& stack, std::size_t most, const sqlite::row_filter& seen = nullptr);
  text::result<std::vector<std::optional<history::usual>>> find_usual(
      std::span<const history::usual_query> queries);

  /// No runs any more, and no history of those in `again`, since they will be folded again.
  text::failure begin_again(const std::set<std::string, std::less<>>& again);
  /// At most so many operations, the newest.
  text::failure trim_history(std::uint64_t most);

 private:
  template <class Work>
  text::failure attempt(Work work);
  void open();
  void put_aside(const std::string& why);
  void migrate();

  std::string path_, made_by_;
  std::unique_ptr<sqlite::database> open_;
  std::vector<std::string> remarks_;
};

}  // namespace tofud::journal
