#include "daemon/files/regular_file.hpp"

#include "daemon/files/descriptor.hpp"
#include "protocol/text/sizes.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::files {

file_text read_regular_file(const std::string& path, std::size_t most) {
  const files::descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0) return {{}, std::strerror(errno)};
  if (!S_ISREG(facts.st_mode)) return {{}, "it is no regular file; write the values into one"};
  if (static_cast<std::size_t>(facts.st_size) > most) {
    return {{}, "it is larger than " + std::to_string(most / limits::kib) + " KiB"};
  }
  file_text found;
  std::array<char, 4096> room;
  for (;;) {
    const auto n = ::read(file.get(), room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {{}, std::strerror(errno)};
    if (n == 0) return found;
    found.text.append(room.data(), static_cast<std::size_t>(n));
    if (found.text.size() > most) return {{}, "it grows while it is read"};
  }
}

}  // namespace tofud::files
