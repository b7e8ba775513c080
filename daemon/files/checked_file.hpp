// Opens a file in a directory that another user may be able to write, as root does beside the
// spools of others: by descriptor, without following links, and looks at what was opened.
#pragma once

#include <string>
#include <sys/types.h>

namespace tofud::files {

/// As open(2), close-on-exec; -1 with errno. The last part of `path` is never followed if it is a
/// link (ELOOP), and what is there has to be a regular file (EINVAL). To be written it must have no
/// other name (EMLINK) and belong to us, to root or to the owner of its directory (EPERM): else
/// whoever may write the directory could lead us to a file of somebody else. O_TRUNC takes effect
/// after that.
int open_checked(const std::string& path, int flags, mode_t mode = 0600) noexcept;

/// The same of a name in a directory that is open.
int open_checked_at(int directory, const char* name, int flags, mode_t mode = 0600) noexcept;

}  // namespace tofud::files
