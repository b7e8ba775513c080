#include "daemon/files/private_file.hpp"

#include "daemon/files/checked_file.hpp"
#include "daemon/files/errors.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/files/write_all.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::files {
namespace {

/// Closed at the end of the scope.
struct file {
  explicit file(int opened) : fd{opened} {}
  ~file() {
    if (fd >= 0) ::close(fd);
  }
  file(const file&) = delete;
  file& operator=(const file&) = delete;
  int fd;
};

/// 0, or the error.
int write_through(const std::string& path, std::string_view text) {
  const file made{files::open_checked(path, O_WRONLY | O_CREAT | O_TRUNC)};
  if (made.fd < 0) return errno;
  return files::write_all(made.fd, text) && ::fsync(made.fd) == 0 ? 0 : errno;
}

/// The name is to outlive a power cut as well. Filesystems that can't say do what they do.
void sync_directory_of(const std::string& path) {
  const auto parent = std::filesystem::path{path}.parent_path();
  const file directory{
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (directory.fd >= 0) ::fsync(directory.fd);
}

}  // namespace

text::failure write_private(const std::string& path, std::string_view text) {
  const std::string made = path + "." + std::to_string(::getpid()) + ".part";
  int error = write_through(made, text);
  if (error == 0 && std::rename(made.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    std::remove(made.c_str());
    return {files::error::unwritable, path, std::strerror(error)};
  }
  sync_directory_of(path);
  return {};
}

std::optional<std::string> read_private(const std::string& path, std::uint64_t most) {
  const file there{files::open_checked(path, O_RDONLY)};
  struct stat facts {};
  if (there.fd < 0 || ::fstat(there.fd, &facts) != 0 || !S_ISREG(facts.st_mode) ||
      static_cast<std::uint64_t>(facts.st_size) > most) {
    return std::nullopt;
  }
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  std::size_t read = 0;
  while (read < text.size()) {
    const ssize_t n = ::read(there.fd, text.data() + read, text.size() - read);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    read += static_cast<std::size_t>(n);
  }
  text.resize(read);
  return text;
}

}  // namespace tofud::files
