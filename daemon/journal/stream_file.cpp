#include "daemon/journal/stream_file.hpp"

#include "daemon/journal/layout.hpp"
#include "daemon/journal/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace tofud::journal {
namespace {

constexpr int gzip_only = 16 + MAX_WBITS;

/// Empty if there are none, or they are of another file.
std::vector<std::uint64_t> read_places(disk& on, const std::string& run_directory, int compressed) {
  const open_file file{on, on.open(places_in(run_directory), O_RDONLY)};
  struct stat facts {};
  if (!file || ::fstat(compressed, &facts) != 0) return {};
  std::vector<std::uint64_t> numbers;
  std::vector<char> room(64 * limits::kib);
  for (std::uint64_t at = 0;;) {
    const ssize_t n = on.pread(file.fd(), room, at);
    if (n < 0 || n % 8 != 0) return {};
    if (n == 0) break;
    for (ssize_t i = 0; i < n; i += 8) {
      std::uint64_t number = 0;
      for (int byte = 7; byte >= 0; --byte)
        number = number << 8 | static_cast<unsigned char>(room[static_cast<std::size_t>(i + byte)]);
      numbers.push_back(number);
    }
    at += static_cast<std::uint64_t>(n);
  }
  const auto length = static_cast<std::uint64_t>(facts.st_size);
  const bool is_of_it = numbers.size() >= 2 && numbers.front() == length && numbers[1] == 0 &&
                        std::is_sorted(numbers.begin() + 1, numbers.end()) &&
                        numbers.back() < length;
  if (!is_of_it) return {};
  numbers.erase(numbers.begin());
  return numbers;
}

}  // namespace

/// Unpacks from the beginning on; where it stands, in packed and unpacked bytes.
struct stream_file::unpacked {
  unpacked() { ready = inflateInit2(&stream, gzip_only) == Z_OK; }
  ~unpacked() {
    if (ready) inflateEnd(&stream);
  }
  unpacked(const unpacked&) = delete;
  unpacked& operator=(const unpacked&) = delete;

  /// Goes to the last member that begins at `wanted` or before, if that is nearer than where it is.
  void go_near(std::uint64_t wanted) {
    const auto member = std::min<std::uint64_t>(wanted / limits::gzip_member_bytes,
                                                places.empty() ? 0 : places.size() - 1);
    const std::uint64_t begins = member * limits::gzip_member_bytes;
    if (offset <= wanted && begins <= offset) return;
    inflateReset(&stream);
    stream.avail_in = 0;
    packed_offset = places.empty() ? 0 : places[member];
    offset = begins;
    ended = between_members = false;
  }

  z_stream stream{};
  bool ready = false, ended = false, between_members = false;
  std::uint64_t packed_offset = 0, offset = 0;
  std::vector<std::uint64_t> places;  // of members; empty: unknown
  std::vector<char> packed = std::vector<char>(64 * limits::kib);

  /// Up to room.size() bytes more; fewer only at the end.
  std::optional<std::size_t> read(disk& on, int fd, std::span<char> room) {
    stream.next_out = reinterpret_cast<unsigned char*>(room.data());
    stream.avail_out = static_cast<unsigned>(room.size());
    while (stream.avail_out > 0 && !ended) {
      if (stream.avail_in == 0) {
        const ssize_t n = on.pread(fd, packed, packed_offset);
        if (n == 0 && between_members) {
          ended = true;
          break;
        }
        if (n <= 0) return std::nullopt;  // it has an end of its own
        packed_offset += static_cast<std::uint64_t>(n);
        stream.next_in = reinterpret_cast<unsigned char*>(packed.data());
        stream.avail_in = static_cast<unsigned>(n);
      }
      const int code = ::inflate(&stream, Z_NO_FLUSH);
      if (code != Z_OK && code != Z_STREAM_END) return std::nullopt;
      between_members = code == Z_STREAM_END;
      if (between_members) inflateReset(&stream);  // keeps what was read ahead
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
    if (!file) continue;
    stream_file opened{on, std::move(file), compressed};
    if (compressed) opened.unpacked_->places = read_places(on, run_directory, opened.file_.fd());
    return opened;
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
  unpacked_->go_near(offset);
  while (unpacked_->offset < offset) {
    const auto skipped =
        room.first(std::min<std::uint64_t>(room.size(), offset - unpacked_->offset));
    const auto n = unpacked_->read(*disk_, file_.fd(), skipped);
    if (!n || *n == 0) return n;
  }
  return unpacked_->read(*disk_, file_.fd(), room);
}

}  // namespace tofud::journal
