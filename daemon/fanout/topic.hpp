// The compacted log of one run (or of the wall), and what a cursor gets of it.
#pragma once

#include "daemon/fanout/cursor.hpp"
#include "daemon/fanout/limits.hpp"
#include "daemon/fanout/line_store.hpp"
#include "daemon/fanout/row_order.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/feed/request.hpp"
#include "protocol/feed/source.hpp"
#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::fanout {

/// What `topic::fill` did.
enum class filled {
  nothing,    // the cursor stands at the head and the view is current
  caught_up,  // bytes were appended and the cursor stands at the head
  more,       // bytes were appended (or rows examined) and there is more: call again next turn
};

/// But for the lines', others than these are for tests.
struct topic_limits {
  std::size_t frame_bytes = limits::frame_bytes;
  std::size_t rows_per_turn = limits::rows_per_turn;
  std::size_t lines_bytes = limits::lines_bytes;
  std::size_t chunk_bytes = 64 * limits::kib;  // of the lines: small runs stay small
  std::shared_ptr<line_budget> all_lines;      // of all topics; null: no bound
};

/// Who serves a topic to its subscribers.
class topic_server {
 public:
  virtual ~topic_server() = default;
  /// `since`: when what is new came into the process, if it was not just now.
  virtual void flush(std::optional<std::chrono::steady_clock::time_point> since) = 0;
  /// Somebody is subscribed, or about to be.
  virtual bool is_watched() const = 0;

 protected:
  topic_server() = default;
  topic_server(const topic_server&) = default;
  topic_server& operator=(const topic_server&) = default;
};

/// Keeps the newest version of each row in sequence order and the lines of the run, and gives any
/// cursor what comes next. Passive and single-threaded: it is fed and asked. Costs nothing per
/// subscriber. Sequence numbers of what it is fed only grow.
class topic {
 public:
  /// `name` is "wall" or "run/ID"; `run_path` is where `href`s lead, empty for the wall.
  topic(std::string name, std::string run_path, std::string epoch, feed::row_source source,
        topic_limits limits = {});
  topic(topic&&) = default;
  topic& operator=(topic&&) = default;

  /// Rows and lines that are there already, before anything else is told: when each row changed
  /// last, and the newest number.
  void begin_with(const std::vector<feed::sequence>& seq_of_rows, feed::sequence head,
                  line_store::stored lines);
  void change(feed::row_change change);
  void append(const feed::line_change& line);
  /// The `run` view differs from the one last sent.
  void view_changed();
  /// A `forecast` view is new (its number is how many there were) or differs.
  void forecast_changed(feed::row_number forecast);
  /// Takes a row off (wall only): subscribers get `removed`, until `forget_removed`.
  void remove(feed::row_number row, feed::row_kind kind, std::string key, feed::sequence seq);
  /// Forgets the removals up to `seq`, those of an hour ago. Nobody resumes from before them.
  void forget_removed(feed::sequence seq);
  /// Who serves it from now on; may go when it likes.
  void serve_by(std::weak_ptr<topic_server> server) { server_ = std::move(server); }
  /// New rows, lines or a new view were put into it, or it ended: subscribers get them at once when
  /// the last flush is a tick ago, else at the end of the tick.
  void publish(std::optional<std::chrono::steady_clock::time_point> since = std::nullopt) const {
    if (const auto server = server_.lock()) server->flush(since);
  }
  bool is_watched() const {
    const auto server = server_.lock();
    return server && server->is_watched();
  }
  /// No more changes will come; `end=close` subscribers are closed after their last `at`.
  void end();

  feed::sequence head() const { return head_; }
  bool ended() const { return ended_; }
  const std::string& name() const { return *name_; }
  const std::string& epoch() const { return epoch_; }
  std::uint64_t view_version() const { return view_version_; }
  std::uint64_t forecast_version() const { return forecast_version_; }
  /// The newest removal that was forgotten; 0: none was.
  feed::sequence forgotten() const { return forgotten_; }
  /// Tells this topic from every other one for as long as somebody holds on to it.
  const std::shared_ptr<const std::string>& identity() const { return name_; }

  /// Why nobody can resume from `since`: the reason of a `reset`, after which the cursor starts at
  /// 0. "epoch": another epoch's; "head": beyond the head; "removed": before a forgotten removal.
  std::optional<std::string_view> reset_reason(const feed::position& since) const;

  /// Appends the next lines for `where` under `wanted` to `out`, each ending in '\n', at most
  /// limits::frame_bytes of them (a longer row goes alone), and moves `where` on. A flush that
  /// moves `where.at` ends with an `at` line. Examines at most limits::rows_per_turn rows.
  filled fill(cursor& where, const feed::filter& wanted, std::string& out) const;

 private:
  class filling;  // one call of `fill`; fill.cpp
  struct removal {
    feed::sequence seq;
    feed::row_kind kind;
    std::string key;
  };
  void advance(feed::sequence seq);

  std::shared_ptr<const std::string> name_;
  std::string run_path_, epoch_;
  feed::row_source source_;
  topic_limits limits_;
  row_order rows_, forecasts_;  // the latter by their versions
  line_store lines_;
  std::deque<removal> removals_;  // by seq
  feed::sequence head_ = 0, forgotten_ = 0;
  std::uint64_t view_version_ = 0, forecast_version_ = 0;
  bool ended_ = false;
  std::weak_ptr<topic_server> server_;
};

}  // namespace tofud::fanout
