// The runs that are shown: by a run itself, by the first tofud of a directory, by a daemon.
#pragma once

#include "daemon/access/principal.hpp"
#include "daemon/api/run_reads.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/files/stream_bytes.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/registry/run_rows.hpp"
#include "daemon/wall/run_facts.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tofud::registry {

/// Who has the stream of a run. It outlives the run's place in the registry.
class run_source {
 public:
  virtual ~run_source() = default;
  virtual files::stream_bytes bytes() const = 0;
  /// Held while somebody reads: rows that are in memory stay there.
  virtual std::shared_ptr<const void> keep_folded() { return nullptr; }
  /// The run is over and its rows are being made once more: how it ended is what is shown.
  virtual bool is_folded_again() const { return false; }
  /// More may come: its row stays on the wall.
  virtual bool goes_on() const = 0;
  /// The labels that its daemon gave it: nobody else can.
  virtual const std::vector<feed::label>& granted() const;

 protected:
  run_source() = default;
  run_source(const run_source&) = default;
  run_source& operator=(const run_source&) = default;
};

/// A run, whether or not its rows are in memory.
struct shown_run {
  run_source* of = nullptr;
  feed::run_view last;               // its view when it was folded last
  pipeline::run* live = nullptr;     // null: not in memory
  wall::run_facts facts;             // as its stack's card knows them
  std::size_t diagnostics_seen = 0;  // of the live run
  /// Its place among the runs: when we heard of it, then in order of their coming.
  std::pair<ui::time_point, std::uint64_t> age;

  const std::string& id() const { return last.id; }
  feed::run_view view() const;
};

/// Finds runs, offers them to subscribers, keeps a row for each on the wall and knows the latest.
/// Where they come from, and how long their rows stay in memory, is their sources' matter. A local
/// server has no more than this; a daemon's runs are its journal's as well.
class run_registry {
 public:
  using since = std::optional<std::chrono::steady_clock::time_point>;

  /// Both outlive it. `rows`: everybody's.
  run_registry(fanout::hub& hub, run_rows& rows);
  run_registry(const run_registry&) = delete;
  run_registry& operator=(const run_registry&) = delete;

  /// A run that nobody knew; its id is `last.id`. Stays where it is until it is removed.
  shown_run& add(run_source& of, feed::run_view last, ui::time_point heard_at);
  /// Its rows are in memory from here on, and subscribers may come.
  void offer(shown_run& run, pipeline::run& live);
  /// Its rows leave the memory. Who is subscribed is told `why`.
  void withdraw(shown_run& run, const fanout::refusal& why = fanout::run_is_gone);
  /// Its view differs.
  void changed(shown_run& run, since came = std::nullopt);
  /// The same, but who watches sees it with the next change that is published.
  void changed_quietly(shown_run& run);
  void remove(shown_run& run);

  /// A wall more, for as long as it is not left out again; what is on it already stays.
  void add_rows(run_rows& more) { rows_.push_back(&more); }
  void leave_out(run_rows& rows) { std::erase(rows_, &rows); }

  /// For who changes it: by its id; null: there is none.
  shown_run* of_id(std::string_view id);
  /// The same, for who only looks.
  const shown_run* of_id(std::string_view id) const;

  // ---- questions, each in the name of who asks -------------------------------------------------

  /// By its id, or `latest`; null: there is none that he may see.
  const shown_run* find(std::string_view id, const access::principal& by) const;
  /// Empty: there is no run that he may see.
  std::string latest(const access::principal& by) const;
  /// The id that he means by an id, or by `latest`; empty: there is none that he may see.
  std::string id_of(std::string_view name, const access::principal& by) const;
  /// One whose rows are in memory.
  std::optional<readable_run> readable(std::string_view id, const access::principal& by) const;
  /// The oldest first.
  std::vector<feed::run_view> views(const access::principal& by) const;
  static bool may_see(const access::principal& by, const shown_run& run);

  /// Calls `each` for the runs from `from` on, in order of their coming, until it returns false.
  /// Returns where to go on; nothing: there are no more.
  using place = std::pair<ui::time_point, std::uint64_t>;
  std::optional<place> walk(place from, const std::function<bool(shown_run&)>& each);

 private:
  void tell_latest();

  fanout::hub& hub_;
  std::vector<run_rows*> rows_;
  std::unordered_map<std::string, std::unique_ptr<shown_run>> runs_;  // by id
  std::map<std::pair<ui::time_point, std::uint64_t>, shown_run*> by_age_;
  std::uint64_t added_ = 0;
};

}  // namespace tofud::registry
