#include "daemon/keeper/shared_page.hpp"

#include "daemon/keeper/limits.hpp"

#include <algorithm>
#include <fcntl.h>
#include <new>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <utility>

namespace tofud::keeper {
namespace {

/// Below this a ring is no help: a pipe holds as much.
constexpr std::size_t least_ring = limits::pipe_bytes;

/// The ring begins on a page of the machine's.
constexpr std::size_t page_bytes = (sizeof(stream_page) + 0xffff) & ~std::size_t{0xffff};

files::descriptor nameless_file(std::size_t bytes) {
  files::descriptor fd{::memfd_create("tofud-page", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
  // Sealed in its size: no mistake of a worker can take the memory away under the keeper.
  if (!fd || ::ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return {};
  }
  return fd;
}

std::span<char> map(int fd, std::size_t offset, std::size_t bytes) {
  const int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, fd, static_cast<off_t>(offset));
  if (at == MAP_FAILED) return {};
  return {static_cast<char*>(at), bytes};
}

/// What waits on the socket.
struct whereabouts {
  int id = -1;
  std::uint64_t bytes = 0;
};

}  // namespace

shared_memory shared_memory::create(std::size_t bytes) {
  shared_memory made;
  made.whole_ = bytes;
  if (auto file = nameless_file(bytes)) {
    made.bytes_ = map(file.get(), 0, bytes);
    made.fd_ = std::move(file);
    return made;
  }
  const int id = ::shmget(IPC_PRIVATE, bytes, IPC_CREAT | SHM_NORESERVE | 0600);
  void* at = id < 0 ? MAP_FAILED : ::shmat(id, nullptr, 0);
  std::array<int, 2> ends = {-1, -1};
  const whereabouts where{id, bytes};
  if (at != MAP_FAILED && ::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends.data()) == 0) {
    made.fd_ = files::descriptor{ends[1]};
    made.teller_ = files::descriptor{ends[0]};
    if (::send(ends[0], &where, sizeof where, MSG_DONTWAIT | MSG_NOSIGNAL) ==
        static_cast<ssize_t>(sizeof where)) {
      made.id_ = id;
      made.bytes_ = {static_cast<char*>(at), bytes};
      return made;
    }
    made.fd_ = files::descriptor{};
  }
  if (at != MAP_FAILED) ::shmdt(at);
  if (id >= 0) ::shmctl(id, IPC_RMID, nullptr);
  made.bytes_ = map(-1, 0, bytes);
  return made;
}

shared_memory shared_memory::open(int fd, std::size_t bytes) {
  shared_memory found;
  struct stat facts {};
  if (::fstat(fd, &facts) != 0) return found;
  if (S_ISREG(facts.st_mode)) {
    found.whole_ = static_cast<std::size_t>(facts.st_size);
    if (found.whole_ >= bytes) found.bytes_ = map(fd, 0, bytes);
  } else {
    whereabouts where;
    struct shmid_ds memory {};
    // Left there for the worker after this one.
    if (::recv(fd, &where, sizeof where, MSG_PEEK | MSG_DONTWAIT) !=
            static_cast<ssize_t>(sizeof where) ||
        where.bytes < bytes || ::shmctl(where.id, IPC_STAT, &memory) != 0 ||
        memory.shm_segsz < where.bytes) {
      return found;
    }
    void* at = ::shmat(where.id, nullptr, 0);
    if (at == MAP_FAILED) return found;
    // Two have it now: from here on it goes with the last of them.
    ::shmctl(where.id, IPC_RMID, nullptr);
    found.id_ = where.id;
    found.whole_ = where.bytes;
    found.bytes_ = {static_cast<char*>(at), where.bytes};
  }
  if (found) found.fd_ = files::descriptor{fd};
  return found;
}

std::span<char> shared_memory::map_rest() {
  if (id_ >= 0 || bytes_.size() == whole_) return bytes_;
  rest_ = map(fd_.get(), bytes_.size(), whole_ - bytes_.size());
  return rest_;
}

shared_memory::shared_memory(shared_memory&& other) noexcept
    : bytes_{std::exchange(other.bytes_, {})},
      rest_{std::exchange(other.rest_, {})},
      whole_{other.whole_},
      id_{std::exchange(other.id_, -1)},
      fd_{std::move(other.fd_)},
      teller_{std::move(other.teller_)} {}

shared_memory& shared_memory::operator=(shared_memory&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(rest_, other.rest_);
  std::swap(whole_, other.whole_);
  std::swap(id_, other.id_);
  std::swap(fd_, other.fd_);
  std::swap(teller_, other.teller_);
  return *this;
}

shared_memory::~shared_memory() {
  if (bytes_.data() == nullptr) return;
  if (id_ >= 0) {
    ::shmdt(bytes_.data());
    ::shmctl(id_, IPC_RMID, nullptr);
    return;
  }
  ::munmap(bytes_.data(), bytes_.size());
  if (rest_.data() != nullptr) ::munmap(rest_.data(), rest_.size());
}

shared_page::shared_page(shared_memory memory)
    : memory_{std::move(memory)}, page_{reinterpret_cast<stream_page*>(memory_.bytes().data())} {}

shared_page shared_page::create(std::size_t ring_bytes) {
  shared_memory memory;
  for (auto bytes = ring_bytes; !memory && bytes >= least_ring; bytes /= 2)
    memory = shared_memory::create(page_bytes + bytes);
  if (!memory) memory = shared_memory::create(page_bytes);
  if (!memory) throw std::bad_alloc{};
  auto* page = new (memory.bytes().data()) stream_page{};
  page->layout = sizeof(stream_page);
  shared_page made{std::move(memory)};
  made.ring_ = made.memory_.bytes().subspan(page_bytes);
  return made;
}

std::optional<shared_page> shared_page::open(int fd) {
  auto memory = shared_memory::open(fd, page_bytes);
  if (!memory) return std::nullopt;
  shared_page page{std::move(memory)};
  if (page->layout != sizeof(stream_page)) return std::nullopt;
  const auto mapped = page.memory_.bytes();
  page.ring_ = mapped.size() > page_bytes          ? mapped.subspan(page_bytes)
               : page.memory_.whole() > page_bytes ? page.memory_.map_rest()
                                                   : std::span<char>{};
  return page;
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

}  // namespace tofud::keeper
