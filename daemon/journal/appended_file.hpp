// A file that only grows, and whose acknowledged bytes are on disk.
#pragma once

#include "daemon/journal/disk.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::journal {

/// Remembers how much of the file is acknowledged. A batch is any number of writes, one sync and
/// one commit; it counts as a whole or not at all.
class appended_file {
 public:
  /// The file is there and holds `acknowledged` bytes that are on disk. It is opened when needed.
  appended_file(disk& on, std::string path, std::uint64_t acknowledged);

  /// Writes behind what the batch has so far. After a failure the file is cut back to what is
  /// acknowledged, and sync() returns the failure for the whole batch.
  void write(std::string_view bytes);

  /// Before the sync, where other files are to be synced as well.
  void start_sync();
  /// "", and the batch is on disk; or a sentence, and the batch is gone.
  text::failure sync();

  /// After a sync that went well: from now on the batch counts.
  void commit() { acknowledged_ = pending_; }
  /// After a sync that went well: the batch is not to count after all.
  void abandon();

  std::uint64_t acknowledged() const { return acknowledged_; }
  /// With what the batch has written so far.
  std::uint64_t pending() const { return pending_; }
  const std::string& path() const { return path_; }

 private:
  text::failure open();
  text::failure repair();

  disk& disk_;
  std::string path_;
  open_file file_;
  std::uint64_t acknowledged_, pending_;
  text::failure failure_;
  // What the kernel holds behind the acknowledged bytes is not known to be as the file says.
  bool suspect_ = false;
};

}  // namespace tofud::journal
