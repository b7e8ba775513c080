#include "daemon/journal/stream_file.hpp"

#include "daemon/journal/layout.hpp"
#include "protocol/limits.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <utility>
#include <vector>

namespace tofud::journal {
namespace {

constexpr int gzip_only = 16 + MAX_WBITS;

}  // namespace

/// Unpacks from the beginning on; where it stands, in packed and unpacked bytes.
struct stream_file::unpacked {
  unpacked() { ready = inflateInit2(&stream, gzip_only) == Z_OK; }
  ~unpacked() {
    if (ready) inflateEnd(&stream);
  }
  unpacked(const unpacked&) = delete;
  unpacked& operator=(const unpacked&) = delete;

  void restart() {
    inflateReset(&stream);
    stream.avail_in = 0;
    packed_offset = offset = 0;
    ended = false;
  }

  z_stream stream{};
  bool ready = false, ended = false;
  std::uint64_t packed_offset = 0, offset = 0;
  std::vector<char> packed = std::vector<char>(64 * limits::kib);

  /// Up to room.size() bytes more; fewer only at the end.
  std::optional<std::size_t> read(disk& on, int fd, std::span<char> room) {
    stream.next_out = reinterpret_cast<unsigned char*>(room.data());
    stream.avail_out = static_cast<unsigned>(room.size());
    while (stream.avail_out > 0 && !ended) {
      if (stream.avail_in == 0) {
        const ssize_t n = on.pread(fd, packed, packed_offset);
        if (n <= 0) return std::nullopt;  // it has an end of its own
        packed_offset += static_cast<std::uint64_t>(n);
        stream.next_in = reinterpret_cast<unsigned char*>(packed.data());
        stream.avail_in = static_cast<unsigned>(n);
      }
      const int code = ::inflate(&stream, Z_NO_FLUSH);
      ended = code == Z_STREAM_END;
      if (code != Z_OK && code != Z_STREAM_END) return std::nullopt;
    }
    const std::size_t count = room.size() - stream.avail_out;
    offset += count;
    return count;
  }
};

std::optional<stream_file> stream_file::open(disk& on, const std::string& run_directory) {
  // The compressed file gets its name before the plain one loses its own.
  for (const bool compressed : {false, true}) {
    const auto path = compressed ? compressed_in(run_directory) : stream_in(run_directory);
    open_file file{on, on.open(path, O_RDONLY)};
    if (file) return stream_file{on, std::move(file), compressed};
  }
  return std::nullopt;
}

std::optional<stream_file> stream_file::open_compressed(disk& on, const std::string& path) {
  open_file file{on, on.open(path, O_RDONLY)};
  if (!file) return std::nullopt;
  return stream_file{on, std::move(file), true};
}

stream_file::stream_file(disk& on, open_file file, bool compressed)
    : disk_{&on},
      file_{std::move(file)},
      unpacked_{compressed ? std::make_unique<unpacked>() : nullptr} {}
stream_file::~stream_file() = default;
stream_file::stream_file(stream_file&&) noexcept = default;
stream_file& stream_file::operator=(stream_file&&) noexcept = default;

std::optional<std::size_t> stream_file::read(std::uint64_t offset, std::span<char> room) {
  if (!unpacked_) {
    const ssize_t n = disk_->pread(file_.fd(), room, offset);
    if (n < 0) return std::nullopt;
    return static_cast<std::size_t>(n);
  }
  if (!unpacked_->ready) return std::nullopt;
  if (offset < unpacked_->offset) unpacked_->restart();
  while (unpacked_->offset < offset) {
    const auto skipped =
        room.first(std::min<std::uint64_t>(room.size(), offset - unpacked_->offset));
    const auto n = unpacked_->read(*disk_, file_.fd(), skipped);
    if (!n || *n == 0) return n;
  }
  return unpacked_->read(*disk_, file_.fd(), room);
}

}  // namespace tofud::journal
