#include "daemon/reader/shared_page.hpp"

#include <algorithm>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>

namespace tofud::reader {
namespace {

void* map_page(int fd) {
  const int flags = MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0);
  return ::mmap(nullptr, sizeof(stream_page), PROT_READ | PROT_WRITE, flags, fd, 0);
}

}  // namespace

shared_page shared_page::create() {
  descriptor fd{::memfd_create("tofud-page", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
  // Sealed in its size: no mistake of a worker can take the memory away under the keeper.
  if (!fd || ::ftruncate(fd.get(), sizeof(stream_page)) != 0 ||
      ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    fd = descriptor{};
  }
  void* memory = map_page(fd.get());
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  auto* page = new (memory) stream_page{};
  page->layout = sizeof(stream_page);
  return {std::move(fd), page};
}

std::optional<shared_page> shared_page::open(int fd) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0 || facts.st_size != sizeof(stream_page)) return std::nullopt;
  void* memory = map_page(fd);
  if (memory == MAP_FAILED) return std::nullopt;
  shared_page page{descriptor{fd}, static_cast<stream_page*>(memory)};
  if (page->layout != sizeof(stream_page)) return std::nullopt;
  return page;
}

shared_page::shared_page(shared_page&& other) noexcept
    : fd_{std::move(other.fd_)}, page_{std::exchange(other.page_, nullptr)} {}

shared_page::~shared_page() {
  if (page_ != nullptr) ::munmap(page_, sizeof(stream_page));
}

void keep_tail(stream_page& page, std::uint64_t offset, std::span<const char> bytes) {
  const auto size = page.tail.size();
  if (bytes.size() > size) {
    offset += bytes.size() - size;
    bytes = bytes.last(size);
  }
  const auto at = offset % size;
  const auto first = std::min(bytes.size(), size - at);
  std::copy_n(bytes.begin(), first, page.tail.begin() + static_cast<std::ptrdiff_t>(at));
  std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(first), bytes.end(), page.tail.begin());
}

stream_tail read_tail(const stream_page& page) {
  const std::uint64_t size = page.tail.size();
  const std::uint64_t end = page.drained.load();
  stream_tail tail;
  tail.first = std::min(end, std::max(page.stored.load(), end - std::min(end, size)));
  tail.bytes.reserve(end - tail.first);
  for (auto at = tail.first; at < end;) {
    const auto piece = std::min(end - at, size - at % size);
    tail.bytes.append(page.tail.data() + at % size, piece);
    at += piece;
  }
  return tail;
}

void write_text(std::span<char> place, std::string_view text) {
  const auto length = std::min(text.size(), place.size() - 1);
  std::copy_n(text.begin(), length, place.begin());
  place[length] = '\0';
}

}  // namespace tofud::reader
