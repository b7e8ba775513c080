// Which plan file a run wrote or applies: by its hash a plan and its apply are linked.
#pragma once

#include "daemon/stack/limits.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tofud::stack {

struct hashed_file {
  std::string sha256;  // 64 hex digits
  std::uint64_t bytes = 0;
};

/// The SHA-256 of a regular file of at most `most` bytes, nothing else. Reads all of it; never
/// waits for a FIFO.
std::optional<hashed_file> hash_plan_file(const std::filesystem::path& path,
                                          std::uint64_t most = limits::plan_file_bytes);

}  // namespace tofud::stack
