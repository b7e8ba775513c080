#include "daemon/journal/disk.hpp"

#include "daemon/files/directory_handle.hpp"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>

namespace tofud::journal {
namespace {

/// Calls until no signal came between.
template <class Call>
auto repeated(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace

int disk::open(const std::string& path, int flags) {
  return repeated([&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600); });
}

void disk::close(int fd) noexcept { ::close(fd); }

ssize_t disk::pread(int fd, std::span<char> room, std::uint64_t offset) {
  return repeated(
      [&] { return ::pread(fd, room.data(), room.size(), static_cast<off_t>(offset)); });
}

ssize_t disk::pwrite(int fd, std::string_view bytes, std::uint64_t offset) {
  return repeated(
      [&] { return ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
}

int disk::fdatasync(int fd) {
  return repeated([&] { return ::fdatasync(fd); });
}

int disk::fsync(int fd) {
  return repeated([&] { return ::fsync(fd); });
}

void disk::start_writing(int fd) noexcept { ::sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); }

int disk::ftruncate(int fd, std::uint64_t size) {
  return repeated([&] { return ::ftruncate(fd, static_cast<off_t>(size)); });
}

int disk::rename(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str());
}

int disk::unlink(const std::string& path) { return ::unlink(path.c_str()); }
int disk::mkdir(const std::string& path) { return ::mkdir(path.c_str(), 0700); }
int disk::rmdir(const std::string& path) { return ::rmdir(path.c_str()); }

std::optional<disk_space> disk::space(const std::string& path) {
  struct statvfs facts {};
  if (::statvfs(path.c_str(), &facts) != 0 || facts.f_blocks == 0) return std::nullopt;
  return disk_space{std::uint64_t{facts.f_bavail} * facts.f_frsize,
                    std::uint64_t{facts.f_blocks} * facts.f_frsize};
}

std::optional<std::uint64_t> disk::size(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) return std::nullopt;
  if (!S_ISREG(facts.st_mode)) {
    errno = EINVAL;
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(facts.st_size);
}

std::optional<std::uint64_t> disk::size(int fd) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(facts.st_size);
}

namespace {

/// Calls for each name but `.` and `..`. False, with errno: the directory can't be read.
template <class With>
bool each_name(const std::string& directory, const With& with) {
  const files::directory_handle open{::opendir(directory.c_str())};
  if (!open) return false;
  while (const dirent* each = ::readdir(open.get())) {
    std::string name = static_cast<const char*>(each->d_name);
    if (name != "." && name != "..") with(::dirfd(open.get()), std::move(name));
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::string>> disk::names(const std::string& directory) {
  std::vector<std::string> names;
  if (!each_name(directory, [&](int, std::string name) { names.push_back(std::move(name)); }))
    return std::nullopt;
  return names;
}

std::optional<std::vector<disk::entry>> disk::entries(const std::string& directory) {
  std::vector<entry> entries;
  const bool is_read = each_name(directory, [&](int in, std::string name) {
    struct stat facts {};
    if (::fstatat(in, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return;  // gone meanwhile
    const auto size = S_ISREG(facts.st_mode) ? static_cast<std::uint64_t>(facts.st_size) : 0;
    entries.push_back({std::move(name), S_ISDIR(facts.st_mode), size});
  });
  if (!is_read) return std::nullopt;
  return entries;
}

bool disk::is_directory(const std::string& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

disk& real_disk() {
  static disk real;
  return real;
}

int write_all(disk& on, int fd, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t n = on.pwrite(fd, bytes, offset);
    if (n < 0) return errno;
    if (n == 0) return ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return 0;
}

std::optional<std::string> read_file(disk& on, const std::string& path, std::size_t most) {
  const open_file file{on, on.open(path, O_RDONLY)};
  if (!file) return std::nullopt;
  const auto size = on.size(file.fd());
  if (!size) return std::nullopt;
  std::string text;
  while (text.size() < most) {
    // One byte more than it should have: its end is seen by the same call.
    const std::size_t wanted = *size > text.size() ? *size - text.size() + 1 : 1;
    const std::size_t before = text.size();
    text.resize(before + std::min(wanted, most - before));
    const std::size_t asked = text.size() - before;
    const ssize_t n = on.pread(file.fd(), std::span{text}.subspan(before), before);
    if (n < 0) return std::nullopt;
    text.resize(before + static_cast<std::size_t>(n));
    if (n == 0 || (static_cast<std::size_t>(n) < asked && text.size() >= *size)) break;
  }
  return text;
}

int write_file(disk& on, const std::string& path, std::string_view text) {
  open_file file{on, on.open(path, O_WRONLY | O_CREAT | O_EXCL)};
  if (!file) return errno;
  int error = write_all(on, file.fd(), text, 0);
  if (error == 0 && on.fsync(file.fd()) != 0) error = errno;
  file.close();
  if (error != 0) on.unlink(path);
  return error;
}

int sync_directory(disk& on, const std::string& path) {
  const open_file directory{on, on.open(path, O_RDONLY | O_DIRECTORY)};
  if (!directory) return errno;
  return on.fsync(directory.fd()) == 0 ? 0 : errno;
}

text::failure refused(const std::string& path, error what, int code) {
  return {what, path, std::generic_category().message(code)};
}

}  // namespace tofud::journal
