// Who is told what the fold changed, at once and in order: the topics, the terminal, a test.
#pragma once

#include "protocol/feed/source.hpp"
#include "protocol/ui/timestamp.hpp"

namespace tofud::correlator {

class run_state;

class row_sink {
 public:
  virtual ~row_sink() = default;
  /// A run exists from here on; the reference stays valid as long as the fold.
  virtual void run_began(run_state&) {}
  /// A log or text line, encoded; the view is valid during the call.
  virtual void line(run_state&, const feed::line_change&) {}
  /// A row is new or differs from what it was.
  virtual void changed(run_state&, feed::row_change) {}
  /// The run's view differs, and none of its rows.
  virtual void view_changed(run_state&) {}
  /// A line of the stream that holds the whole state, secrets and all. Valid during the call.
  virtual void state_dump(run_state&, std::string_view) {}
  /// A plan, apply or destroy summary came; the run's view holds it.
  virtual void summary_came(run_state&) {}
  virtual void run_ended(run_state&) {}
  /// The bytes folded so far had come by then, by the clock of who keeps them.
  virtual void arrived(ui::time_point) {}
  /// All that came together was told.
  virtual void settled() {}

 protected:
  row_sink() = default;
  row_sink(const row_sink&) = default;
  row_sink& operator=(const row_sink&) = default;
};

}  // namespace tofud::correlator
