// Whether a stream has shown that tofu was interrupted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::keeper {

/// Looks for OpenTofu's own `log` message "Interrupt received" (protocol.md: log; recordings
/// interrupted-*). Text of provisioners that says the same doesn't count: within a message its
/// quotes are escaped. Fed with the stream in pieces of any size.
class interrupt_search {
 public:
  void feed(std::string_view bytes);
  bool found() const { return found_; }

 private:
  bool found_ = false;
  std::string rest_;  // of an unfinished line, no longer than a message of this kind is
};

}  // namespace tofud::keeper
