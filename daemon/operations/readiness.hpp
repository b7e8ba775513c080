// Whether this daemon should be sent to: what /readyz says.
#pragma once

#include <cstddef>
#include <string>

namespace tofud::operations {

struct readiness {
  std::size_t to_recover = 0;  // runs that go on and are not yet as they were before the start
  bool draining = false;       // told to stop
  bool joining = false;        // what other daemons have is not known here yet
  /// What others may know and this daemon does not, as a sentence; it serves all the same.
  std::string behind = {};

  bool is_ready() const { return to_recover == 0 && !draining && !joining; }
};

/// One word and a newline if it is ready, else a line for each reason; a line more if it is behind.
std::string as_text(const readiness& now);
/// `{"ready":false,"reasons":[{"reason":"recovering","runs":3}]}` and a newline; reasons are
/// `recovering`, `draining` and `joining`; `"behind":"…"` if it is.
std::string as_json(const readiness& now);

}  // namespace tofud::operations
