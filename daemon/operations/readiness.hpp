// Whether this daemon should be sent to: what /readyz says.
#pragma once

#include <cstddef>
#include <string>

namespace tofud::operations {

struct readiness {
  std::size_t to_recover = 0;  // runs that go on and are not yet as they were before the start
  bool draining = false;       // told to stop

  bool is_ready() const { return to_recover == 0 && !draining; }
};

/// One word and a newline if it is ready, else a line for each reason.
std::string as_text(const readiness& now);
/// `{"ready":false,"reasons":[{"reason":"recovering","runs":3}]}` and a newline; reasons are
/// `recovering` and `draining`.
std::string as_json(const readiness& now);

}  // namespace tofud::operations
