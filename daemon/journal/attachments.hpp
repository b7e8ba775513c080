// The documents in `attachments/` of a run's directory.
#pragma once

#include "daemon/journal/disk.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::journal {

/// Writes `text` beside the file of that name, on disk when it returns "": a step that nobody sees
/// before keep_attachments(). Takes as long as the disk does with a hundred megabytes, so it is no
/// work for the journal's thread; one at a time for a run.
text::failure write_attachment(disk& on, const std::string& run_directory, std::string_view name,
                               std::string_view text);

/// What was written under these names takes the place of what is there; on disk when it returns "".
text::failure keep_attachments(disk& on, const std::string& run_directory,
                               const std::vector<std::string>& names);

/// Removes what was written and never kept.
void clear_attachments(disk& on, const std::string& run_directory);

/// On disk; 0: there are none.
std::uint64_t attached_bytes(disk& on, const std::string& run_directory);

}  // namespace tofud::journal
