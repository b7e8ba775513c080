// A file of a copy: there whole or not at all.
#pragma once

#include "daemon/files/stream_bytes.hpp"
#include "daemon/journal/disk.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <string>

namespace tofud::journal {

/// Writes what `read` gives, at most `bytes`, beside `path`, brings it to disk and renames it.
/// Returns how much there was: less than `bytes` where `read` had no more. The name is on disk when
/// its directory is synced.
text::result<std::uint64_t> write_copy(disk& on, const std::string& path, std::uint64_t bytes,
                                       const files::stream_bytes& read);

}  // namespace tofud::journal
