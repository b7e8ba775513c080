#include "daemon/stack/plan_file.hpp"

#include "daemon/files/limits.hpp"
#include "protocol/text/sha256.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::stack {
namespace {

struct closes {
  int fd;
  explicit closes(int opened) : fd{opened} {}
  ~closes() {
    if (fd >= 0) ::close(fd);
  }
  closes(const closes&) = delete;
  closes& operator=(const closes&) = delete;
};

}  // namespace

std::optional<hashed_file> hash_plan_file(const std::filesystem::path& path, std::uint64_t most) {
  const closes file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat facts {};
  if (file.fd < 0 || ::fstat(file.fd, &facts) != 0 || !S_ISREG(facts.st_mode) ||
      static_cast<std::uint64_t>(facts.st_size) > most) {
    return std::nullopt;
  }
  text::sha256_sum sum;
  hashed_file found;
  std::vector<char> room(limits::read_bytes);
  for (;;) {
    const ssize_t n = ::read(file.fd, room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    found.bytes += static_cast<std::uint64_t>(n);
    if (found.bytes > most) return std::nullopt;
    sum.add({room.data(), static_cast<std::size_t>(n)});
  }
  auto hex = sum.hex();
  if (!hex) return std::nullopt;
  found.sha256 = std::move(*hex);
  return found;
}

}  // namespace tofud::stack
