// Whether what was copied away is whole.
#pragma once

#include "daemon/journal/backup.hpp"
#include "daemon/journal/disk.hpp"
#include "protocol/text/failure.hpp"

#include <string>

namespace tofud::archive {

/// Of a backup (journal::check_backup), or of an archive, or of what was fetched of one: then each
/// of its runs is compared with its own manifest. The failure names the first file that is not as
/// it was copied, and the byte.
text::result<journal::backup_counts> check(journal::disk& on, const std::string& at);

}  // namespace tofud::archive
