// The compacted log of one run (or of the wall), and the cursors that read it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/feed/request.hpp"
#include "protocol/feed/source.hpp"

namespace tofud::fanout {

/// Where one subscriber stands in a topic. A plain value: copied, compared, hashed (equal cursors with
/// equal filters get equal bytes, which is what lets subscribers share a flush).
struct cursor {
  feed::sequence at = 0;  // everything up to here was delivered
  bool live = false;      // the first `at` was sent
  bool greeted = false;   // the first view was sent
  std::uint64_t view = 0; // version of the view last sent
  struct pass {           // a backlog larger than one flush is walked in passes (design: order)
    feed::sequence target = 0;    // T: head when the pass began
    feed::row_number rows = 0;    // rows that existed then
    feed::row_number next_row = 0;
    feed::sequence lines_after = 0;  // lines up to here were delivered in this pass
    bool operator==(const pass&) const = default;
  };
  std::optional<pass> walking;
  bool operator==(const cursor&) const = default;
};

/// What `topic::fill` did.
enum class filled {
  nothing,   // the cursor stands at the head and the view is current
  caught_up, // bytes were appended and the cursor stands at the head
  more,      // bytes were appended (or rows examined) and there is more: call again next turn
};

/// Keeps the newest version of each row in sequence order and the lines of the run, and gives any
/// cursor what comes next. Passive and single-threaded: it is fed and asked. Costs nothing per
/// subscriber.
class topic {
 public:
  /// `name` is "wall" or "run/ID", `run_id` empty for the wall (used in `href`s).
  topic(std::string name, std::string run_id, std::string epoch, feed::row_source source);

  void change(feed::row_change change);
  void append(const feed::line_change& line);
  /// The `run` view differs from the one last sent.
  void view_changed();
  /// Takes a row off (wall only): subscribers get `removed`, remembered for an hour.
  void remove(feed::row_number row, feed::row_kind kind, std::string key, feed::sequence seq);
  /// No more changes will come; `end=close` subscribers are closed after their last `at`.
  void end();

  feed::sequence head() const;
  bool ended() const;
  const std::string& name() const;
  const std::string& epoch() const;

  /// Appends the next lines for `where` under `wanted` to `out`, each ending in '\n', at most
  /// limits::frame_bytes of them (a longer row goes alone), and moves `where` on. A flush that
  /// moves `where.at` ends with an `at` line. Examines at most limits::rows_per_turn rows.
  filled fill(cursor& where, const feed::filter& wanted, std::string& out) const;
};

}  // namespace tofud::fanout
