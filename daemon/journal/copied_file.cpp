#include "daemon/journal/copied_file.hpp"

#include "daemon/journal/layout.hpp"
#include "daemon/journal/limits.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <vector>

namespace tofud::journal {

text::result<std::uint64_t> write_copy(disk& on, const std::string& path, std::uint64_t bytes,
                                       const files::stream_bytes& read) {
  const std::string beside = path + std::string{unfinished};
  on.unlink(beside);
  const open_file target{on, on.open(beside, O_WRONLY | O_CREAT | O_EXCL)};
  if (!target) return refused(beside, error::unopenable, errno);
  std::vector<char> room(std::min<std::uint64_t>(limits::copied_bytes, bytes));
  std::uint64_t at = 0;
  while (at < bytes) {
    const auto n = read(at, {room.data(), std::min<std::uint64_t>(room.size(), bytes - at)});
    if (n == 0) break;
    if (const int code = write_all(on, target.fd(), {room.data(), n}, at); code != 0)
      return refused(beside, error::not_written, code);
    at += n;
  }
  if (on.fdatasync(target.fd()) != 0) return refused(beside, error::not_on_disk, errno);
  if (on.rename(beside, path) != 0) return refused(beside, error::not_renamed, errno);
  return at;
}

}  // namespace tofud::journal
