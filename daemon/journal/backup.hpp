// A copy of what a daemon stores, made while it runs, and whether such a copy is whole.
#pragma once

#include "daemon/journal/disk.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tofud::journal {

/// What was found, and what of it was new.
struct backup_counts {
  std::size_t runs = 0, files = 0;
  std::uint64_t bytes = 0;
  std::size_t copied = 0;  // files that were not there yet as they are
};

/// Makes `to` hold what `root` does: its runs, the runs that were removed, its tokens; no index. It
/// is made if it is not there. Of a run that goes on it has what was there when the run's files
/// were read, a state that a crash could have left (see recovery.hpp). Runs that `root` does not
/// have any more go. `to/manifest.jsonl` names every file with its length and its SHA-256 and is
/// written last: an interrupted backup has none, or that of the one before, and may be begun again.
/// What is as it was is not copied again.
text::result<backup_counts> back_up(disk& on, const std::string& root, const std::string& to);

/// The failure names the first file that is not as the manifest says, and the byte.
text::result<backup_counts> check_backup(disk& on, const std::string& at);

}  // namespace tofud::journal
