// The file of a user's own `-json-into=FILE`, copied into the spool as it grows.
#pragma once

#include "daemon/files/descriptor.hpp"
#include "daemon/keeper/spool_writer.hpp"

#include <cstdint>
#include <string>

namespace tofud::keeper {

/// tofu empties the file when it starts, and what stood there before is none of this run. Passive:
/// whoever waits calls `copy` now and then, and once more at the end.
class users_file {
 public:
  /// Looks at the file as it is before tofu starts.
  explicit users_file(std::string path) noexcept;

  /// Why it can't be followed, as half a sentence: a FIFO or a terminal has other readers. Empty if
  /// it can.
  std::string refusal() const;

  /// Copies what is new. Returns how many bytes were copied.
  std::uint64_t copy(spool_writer& to) noexcept;

 private:
  bool emptied() noexcept;

  std::string path_;
  files::descriptor file_;
  files::descriptor news_;  // inotify on what was there before
  std::uint64_t copied_ = 0;
  bool ours_ = false;  // tofu has emptied it
  bool stopped_ = false;
};

}  // namespace tofud::keeper
