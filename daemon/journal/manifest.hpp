// What files are in a copy, with their lengths and sums: how one tells that it is whole.
#pragma once

#include "daemon/files/tree_reader.hpp"
#include "daemon/journal/disk.hpp"
#include "protocol/text/failure.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tofud::journal {

inline constexpr std::string_view manifest_name = "manifest.jsonl";

/// Of a file.
struct recorded {
  std::uint64_t bytes = 0;
  std::string sha256;  // 64 hexadecimal digits
  bool operator==(const recorded&) const = default;
};

/// By the path below the directory that the manifest is in. As a file: a line each,
/// {"path":"runs/ID/header.json","bytes":412,"sha256":"…"}
using manifest = std::map<std::string, recorded, std::less<>>;

std::string text_of(const manifest& files);

/// Whether a line that is none is passed over: the last of a file that is still appended to.
enum class torn_lines : bool { refused, allowed };

/// At most limits::manifest_bytes. The failure names the line. No path leads out of the directory.
text::result<manifest> read_manifest(disk& on, const std::string& path, torn_lines torn);

/// Reads `name` below `at`, which `in` reads. Empty: it is as it was recorded; else which byte is
/// not.
text::failure compare(disk& on, const files::tree_reader& in, const std::string& at,
                      const std::string& name, const recorded& wanted);

}  // namespace tofud::journal
