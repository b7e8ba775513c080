#include "daemon/keeper/worker_link.hpp"

#include "daemon/keeper/limits.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace tofud::keeper {

std::optional<worker_link> worker_link::inherit() {
  for (int fd = inherited::page; fd <= inherited::told; ++fd) {
    if (::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return std::nullopt;
  }
  auto page = shared_page::open(inherited::page);
  if (!page) return std::nullopt;
  return worker_link{std::move(*page),
                     files::descriptor{inherited::spool},
                     files::descriptor{inherited::wakeup},
                     files::descriptor{inherited::liveness},
                     files::descriptor{inherited::events},
                     files::descriptor{inherited::input},
                     files::descriptor{inherited::told}};
}

std::size_t worker_link::read_stored(std::uint64_t offset, std::span<char> room) const {
  const std::uint64_t stored = page->stored.load();
  if (offset >= stored) return 0;
  const auto wanted = std::min<std::uint64_t>(room.size(), stored - offset);
  ssize_t n = 0;
  do {
    n = ::pread(spool.get(), room.data(), wanted, static_cast<off_t>(offset));
  } while (n < 0 && errno == EINTR);
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}

std::string worker_link::read_told() const {
  // Every worker reads it, so none moves the offset that they share.
  std::string text(limits::told_bytes, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t n =
        ::pread(told.get(), text.data() + size, text.size() - size, static_cast<off_t>(size));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
}

void worker_link::clear_wakeup() const {
  eventfd_t notes = 0;
  [[maybe_unused]] const int ignored = ::eventfd_read(wakeup.get(), &notes);
}

bool worker_link::keeper_gone() const {
  pollfd end{liveness.get(), POLLIN, 0};
  return ::poll(&end, 1, 0) == 1 && (end.revents & POLLHUP) != 0;
}

}  // namespace tofud::keeper
