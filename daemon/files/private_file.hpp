// Small files beside a spool that hold secrets: readable by their owner only, on the disk when
// written, there whole or not at all.
#pragma once

#include "daemon/files/limits.hpp"
#include "protocol/text/failure.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud::files {

/// Replaces what is there. Empty, else what failed, as a sentence without a full stop.
text::failure write_private(const std::string& path, std::string_view text);

/// Nothing if there is none, it is no file, or larger than `most`.
std::optional<std::string> read_private(const std::string& path,
                                        std::uint64_t most = limits::beside_bytes);

}  // namespace tofud::files
