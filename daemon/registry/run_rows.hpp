// Runs as rows of a wall.
#pragma once

#include "daemon/access/reach.hpp"
#include "daemon/fanout/wall.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>

namespace tofud::registry {

struct shown_run;

/// Rows of those runs that somebody may see. Who watches sees what changed when the wall's topic is
/// published next.
class run_rows {
 public:
  /// `on` outlives it, and its rows are of this alone as far as they are runs. Beyond `most` rows
  /// the oldest runs that are over leave the wall. `within`: of whom it is; null: of everybody.
  run_rows(fanout::wall& on, std::size_t most, std::shared_ptr<const access::reach> within = {});

  bool sees(const shown_run& run) const;
  /// It has a row from here on, if it may be seen, and the row says what is new.
  void changed(shown_run& run);
  void remove(shown_run& run);
  bool has(const shown_run& run) const { return numbers_.contains(&run); }
  fanout::wall& on() { return on_; }

 private:
  void show(shown_run& run);
  void make_room();

  fanout::wall& on_;
  std::size_t most_;
  std::shared_ptr<const access::reach> within_;
  std::unordered_map<const shown_run*, feed::row_number> numbers_;
  std::deque<shown_run*> in_order_;  // of their coming
};

}  // namespace tofud::registry
