// Which run was being folded when the daemon died: one that can't be folded must not keep it down.
#pragma once

#include "daemon/serve/limits.hpp"

#include <chrono>
#include <map>
#include <string>

namespace tofud::serve {

/// A file in the journal's root that names the run whose fold goes on at a start, and counts the
/// starts that ended in it. Only ends count that came a good while after its fold began: a daemon
/// that is killed for other reasons dies anywhere. What can't be read or written counts nothing.
class fold_deaths {
 public:
  using clock = std::chrono::system_clock;

  /// Reads what the daemon before this one has left. `file` empty: nothing is remembered.
  fold_deaths(std::string file, clock::time_point now);

  /// It was being folded in limits::fold_deaths starts that came to no good end.
  bool is_deadly(const std::string& run) const;

  /// From now on until `ended` this run is being folded.
  void began(const std::string& run, clock::time_point now);
  void ended();
  /// Somebody wants it folded all the same: nothing is known of its past.
  void forget(const std::string& run);

 private:
  void save() const;

  std::string file_;
  std::map<std::string, unsigned> deaths_;
  std::string folding_;
  clock::time_point since_{};
};

}  // namespace tofud::serve
