// What a question about the history is, and what it is answered.
#pragma once

#include "protocol/history/score.hpp"
#include "protocol/ui/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tofud::history {

/// Empty members ask for any. With nothing but a stack or a type, or nothing at all, the newest
/// operations answer.
struct report_query {
  std::string addr, stack, type;
  std::size_t limit = 0;  // entries; 0: limits::history_entries
};

/// One operation of an entry.
struct ended_operation {
  std::string run, status;  // "done" or "failed"
  double seconds = 0;
  ui::time_point started_at;
};

/// The run that changed an address last.
struct changed_by {
  std::string run, action;
  std::string commit, actor;  // claims; empty: nothing is said
  ui::time_point at;
};

/// One action on one address of a stack.
struct entry {
  std::string stack, addr, type, action, phase;
  std::string provider, provider_version;  // of the newest; empty: unknown
  std::uint64_t count = 0, failed = 0;     // of those that were read
  double p50 = 0, p80 = 0;                 // seconds, of the newest that are done; 0: none is
  std::vector<ended_operation> newest;     // at most limits::usual_of, newest first
  ui::time_point first_at;
  std::optional<changed_by> changed;  // of an address that was asked for
  /// Of the newest limits::flaky_of: how many failed, and of how many.
  std::size_t failed_of_newest() const;
  std::size_t newest_looked_at() const;
  bool is_flaky() const;
};

/// What takes long: a type with an action, or the refreshes of an address.
struct slow_entry {
  std::string name, action;  // a type, or an address
  std::uint64_t count = 0;
  double p50 = 0, p80 = 0, total = 0;  // seconds
};

struct report {
  std::vector<entry>
      entries;  // of an address: by stack and action; else what failed lately, then slowest first
  bool more = false;                         // entries are left out
  std::vector<slow_entry> types, refreshes;  // slowest first, of questions without an address
  std::vector<estimate_score> score;  // of all runs of the stack; of no question about one address
  std::uint64_t read = 0;             // operations that this was made of
};

}  // namespace tofud::history
