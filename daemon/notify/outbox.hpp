// Messages on their way: on disk from the moment that something is to be told until it was.
#pragma once

#include "daemon/notify/rule.hpp"
#include "daemon/sqlite/database.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::notify {

using time = std::chrono::sys_seconds;

struct message {
  std::string rule;  // its name
  report of;
  unsigned tries = 0;  // that came to nothing
  time created_at{};
  std::vector<std::string> merged = {};  // ids of those whose places it has just taken
};

/// Of a list: what waits, and what was given up.
struct listed_message {
  std::string id, rule, headline;
  bool is_given_up = false;
  unsigned tries = 0;
  time created_at{}, due_at{};
  std::string last;  // what went wrong the last time; empty: it was not tried
};

/// What is to be told of a run that ended, or of one that goes on.
struct happening {
  report of;  // `failed`, or `recovered` for a run that succeeded, whatever was before
  bool is_end = false;
};

/// Blocks; used by one thread. Member functions throw sqlite::failure.
class outbox {
 public:
  /// Makes the file, 0600. What ended before it was made is never told.
  static text::result<std::unique_ptr<outbox>> open(const std::string& path, time now);
  explicit outbox(const std::string& path, time now);

  /// Writes a message for each rule that wants it told, once: the same happening another time
  /// changes nothing. That a run recovered is known by what was taken before.
  void take(const happening& what, const std::vector<rule>& rules, time now);

  // ---- where several daemons have the same outbox, since each applies the same changes ---------

  /// The number of the newest change that was applied; 0: none was.
  std::uint64_t applied();
  void forget_applied();
  /// Once; changes are numbered by their log, and apply in its order. `at`: when it came there.
  /// What a later version says is passed over.
  void apply(std::string_view change, const std::vector<rule>& rules, std::uint64_t number,
             time at);
  /// Of runs that have ended those of whose end nothing was taken.
  std::vector<std::string> without_end(const std::vector<std::string>& runs);

  /// The next of each rule in `rules` that is due; of many that are due at once one message that
  /// tells them all, which takes their places.
  std::vector<message> due(const std::vector<rule>& rules, const std::set<std::string>& busy,
                           std::size_t most, time now);

  void delivered(const std::string& id, time now);
  /// It is tried again at `again`, and so is what else the rule has to tell; given up if that is
  /// too long after it was written.
  void failed(const std::string& id, std::string_view why, time again, time now);
  /// Of all its rule has to tell: there is nobody there any more.
  void give_up(const std::string& rule, std::string_view why, time now);

  /// Those that are not delivered, oldest first.
  std::vector<listed_message> list(std::size_t most);
  /// Those that were given up, or wait, are due now; empty: all. How many that were.
  std::size_t retry(const std::string& id, time now);
  struct counts {
    std::int64_t waiting = 0, given_up = 0;
  };
  counts count();
  /// Forgets what is older than limits::outbox_kept, and gives up what is beyond
  /// limits::outbox_messages.
  void tidy(time now);

 private:
  bool take_once(const happening& what, time now);
  void take_in(const happening& what, const std::vector<rule>& rules, time now);
  void merge(const std::string& rule, const report& into, const std::vector<std::string>& ids,
             time now);
  void insert(const std::string& rule, const report& of, time created, time due);
  time due_of_next(const std::string& rule, time now);
  std::vector<message> read(sqlite::statement& found);

  sqlite::database database_;
};

}  // namespace tofud::notify
