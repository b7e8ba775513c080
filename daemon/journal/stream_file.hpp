// The stream of a run, read while it may still be written or compressed.
#pragma once

#include "daemon/journal/disk.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace tofud::journal {

/// Remembers the open file and, of a compressed one, where in it the last read ended.
class stream_file {
 public:
  /// Nothing, with errno: neither stream.jsonl nor stream.jsonl.gz can be opened.
  static std::optional<stream_file> open(disk& on, const std::string& run_directory);
  /// A gzip file of any name.
  static std::optional<stream_file> open_compressed(disk& on, const std::string& path);
  ~stream_file();
  stream_file(stream_file&&) noexcept;
  stream_file& operator=(stream_file&&) noexcept;

  /// How many bytes were read, 0 at the end; nothing: they can't be read.
  std::optional<std::size_t> read(std::uint64_t offset, std::span<char> room);

 private:
  struct unpacked;
  stream_file(disk& on, open_file file, bool compressed);

  disk* disk_;
  open_file file_;
  std::unique_ptr<unpacked> unpacked_;  // null: a plain file
};

}  // namespace tofud::journal
