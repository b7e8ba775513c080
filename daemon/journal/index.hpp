// The runs as lists and searches see them, and how long operations took: SQLite, made again from
// the run directories whenever it is lost. Used by the journal's thread only.
#pragma once

#include "daemon/journal/run_query.hpp"
#include "daemon/journal/sqlite.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tofud::journal {

/// Remembers an open database. Failures are sentences ("" is none), and leave it as it was; a
/// damaged file is put aside, and from then on the index is empty.
class index {
 public:
  /// `made_by`: what folds streams into views; if it is another than before, the views of before
  /// are not used.
  index(std::string path, std::string made_by);
  ~index();

  /// Sentences about what had to be put aside; each is returned once.
  std::vector<std::string> remarks();

  std::string put(const indexed_run& run);
  std::string forget(const std::string& run, history_of_run history);
  run_list list(const run_query& query);
  /// All of them, in no order; empty if it can't be read.
  std::vector<indexed_run> all();

  /// Replaces what was there of this run.
  std::string add_history(const std::string& run, const std::vector<operation>& operations);
  durations find_durations(const std::vector<duration_query>& queries);

  /// No runs any more, and no history of those in `again`, since they will be folded again.
  std::string begin_again(const std::set<std::string, std::less<>>& again);
  /// At most so many operations, the newest.
  std::string trim_history(std::uint64_t most);

 private:
  template <class Work>
  std::string attempt(Work work);
  void open();
  void put_aside(const std::string& why);
  void migrate();

  std::string path_, made_by_;
  std::unique_ptr<database> open_;
  std::vector<std::string> remarks_;
};

}  // namespace tofud::journal
