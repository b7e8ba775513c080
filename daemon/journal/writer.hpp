// The journal's side of the disk: what is to be written, in batches. Used by the journal's thread
// only.
#pragma once

#include "daemon/journal/appended_file.hpp"
#include "daemon/journal/disk.hpp"
#include "daemon/journal/kept_run.hpp"
#include "daemon/journal/store_facts.hpp"
#include "daemon/journal/sync_crew.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

namespace tofud::journal {

/// Of an append: how much of the stream is on disk now, and why it is not more.
struct append_result {
  std::uint64_t offset = 0;
  text::failure failure;  // empty: all of it is on disk
  std::string bytes;      // that were to be appended, given back: who appends has no copy of them
};

using on_done = std::function<void(text::failure failure)>;

struct create_job {
  run_header header;
  on_done done;
};
struct append_job {
  std::string run, bytes;
  ui::time_point arrived;
  std::function<void(append_result)> done;
};
struct event_job {
  std::string run;
  kept_event event;
  on_done done;
};
/// Anything else, about one run or none; runs when what came before it is on disk. Returns what is
/// to be called on the loop.
struct other_job {
  std::string run;
  std::function<std::function<void()>()> work;
};
using job = std::variant<create_job, append_job, event_job, other_job>;

/// New bytes are refused when less than the smaller of these is free.
struct free_floor {
  std::uint64_t bytes = 0;
  unsigned percent = 0;
};

/// Remembers the open files of the runs that are written.
class writer {
 public:
  using completions = std::vector<std::function<void()>>;

  writer(disk& on, std::string root, free_floor floor);
  ~writer();

  /// A run that is there already.
  void know(const kept_run& run);

  /// Writes all of them, brings every touched file to disk once, and only then hands out their
  /// completions; other jobs after that, one by one.
  void process(std::vector<job> jobs, const std::function<void(completions)>& emit);

  /// The run is over; on disk when it returns "".
  text::failure complete(const std::string& id, ui::time_point at);
  bool knows(const std::string& id) { return find(id) != nullptr; }
  bool is_complete(const std::string& id);
  text::failure remove(const std::string& id);
  /// Of the stream, on disk; 0: there is no such run.
  std::uint64_t bytes(const std::string& id);

  /// "", or why nothing is kept any more; on any thread.
  text::failure too_little_room() const;

  /// Syncs and refusals so far; on any thread.
  void add_counts(store_facts& to) const;

 private:
  struct written_run;
  struct batch;
  struct in_batch;

  written_run* find(const std::string& id);
  void all_at_once(std::size_t count, const std::function<void(std::size_t)>& work);
  void start(batch& now, create_job asked);
  void start(batch& now, append_job asked);
  void start(batch& now, event_job asked);
  void finish(batch& now, const std::function<void(completions)>& emit);
  void finish_creates(batch& now, completions& out);
  void finish_appends(batch& now, completions& out);
  void finish_events(batch& now, completions& out);
  void sync_all(std::map<written_run*, text::failure>& failures, appended_file written_run::*file);
  text::failure record_arrival(written_run& run, const arrival& arrival);

  disk& disk_;
  std::string root_;
  free_floor floor_;
  std::map<std::string, std::unique_ptr<written_run>, std::less<>> runs_;
  mutable std::mutex counting_;
  text::duration_histogram syncs_;
  std::uint64_t refusals_ = 0;
  std::unique_ptr<sync_crew> crew_;  // made when there are two files to wait for
};

}  // namespace tofud::journal
