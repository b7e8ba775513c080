// What the keeper says to people.
#pragma once

#include <string_view>

namespace tofud::spool {

/// Writes "tofud: SENTENCE" on stderr, if it takes it within a second: a terminal that is paused or
/// a pager nobody scrolls must not hold up the keeper.
void notice(std::string_view sentence) noexcept;

/// Writes bytes to a descriptor under the same condition; at most a pipe's atomic 4 KiB.
void write_patiently(int fd, std::string_view bytes) noexcept;

}  // namespace tofud::spool
