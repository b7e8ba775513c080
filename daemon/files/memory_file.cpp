#include "daemon/files/memory_file.hpp"

#include "daemon/files/errors.hpp"
#include "daemon/files/write_all.hpp"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace tofud::files {

text::result<memory_file> memory_file::of(std::string_view bytes) {
  memory_file made{::memfd_create("tofud-attachment", MFD_CLOEXEC)};
  if (!made.descriptor_ || !files::write_all(made.descriptor_.get(), bytes))
    return text::failure{error::no_memory, std::strerror(errno)};
  return made;
}

std::string memory_file::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor_.get());
}

std::string memory_file::path_for_others() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_.get());
}

}  // namespace tofud::files
