#include "daemon/files/memory_file.hpp"

#include "daemon/files/write_all.hpp"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace tofud::files {

boost::system::result<memory_file, std::string> memory_file::of(std::string_view bytes) {
  memory_file made{::memfd_create("tofud-attachment", MFD_CLOEXEC)};
  if (made.descriptor_ < 0 || !files::write_all(made.descriptor_, bytes))
    return std::string{"no memory for what is attached: "} + std::strerror(errno);
  return made;
}

memory_file::memory_file(memory_file&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)} {}

memory_file& memory_file::operator=(memory_file&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

memory_file::~memory_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string memory_file::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

}  // namespace tofud::files
