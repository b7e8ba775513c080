#include "daemon/files/regular_file.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/errors.hpp"
#include "protocol/text/sizes.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tofud::files {

text::result<std::string> read_regular_file(const std::string& path, std::size_t most) {
  const auto unreadable = [&] {
    return text::failure{error::unreadable, path, std::strerror(errno)};
  };
  const files::descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0) return unreadable();
  if (!S_ISREG(facts.st_mode)) return text::failure{error::irregular, path};
  if (static_cast<std::size_t>(facts.st_size) > most) {
    return text::failure{error::large_text, path, most / limits::kib};
  }
  std::string found;
  std::array<char, 4096> room;
  for (;;) {
    const auto n = ::read(file.get(), room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return unreadable();
    if (n == 0) return {boost::system::in_place_value, std::move(found)};
    found.append(room.data(), static_cast<std::size_t>(n));
    if (found.size() > most) return text::failure{error::growing, path};
  }
}

}  // namespace tofud::files
