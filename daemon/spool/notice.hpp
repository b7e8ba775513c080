// What the keeper says to people.
#pragma once

#include <string>
#include <string_view>

namespace tofud::spool {

/// Writes "tofud: SENTENCE" on stderr, if it takes it within a second: a terminal that is paused or
/// a pager nobody scrolls must not hold up the keeper.
void notice(std::string_view sentence) noexcept;

/// While it lives, what this thread has to say is collected instead: for who answers a program.
class collected_notices {
 public:
  collected_notices();
  ~collected_notices();
  collected_notices(const collected_notices&) = delete;
  collected_notices& operator=(const collected_notices&) = delete;

  /// The sentences, with "; " between them.
  const std::string& text() const { return text_; }
  void add(std::string_view sentence);

 private:
  std::string text_;
  collected_notices* before_;
};

/// Writes bytes to a descriptor under the same condition; at most a pipe's atomic 4 KiB.
void write_patiently(int fd, std::string_view bytes) noexcept;

}  // namespace tofud::spool
