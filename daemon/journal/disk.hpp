// What the journal asks of the operating system, one call each, so that tests can refuse any.
#pragma once

#include "daemon/journal/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace tofud::journal {

struct disk_space {
  std::uint64_t free = 0;  // bytes that we may take
  std::uint64_t size = 0;
};

/// The real disk: libc's calls, nothing more. All return what libc does, with errno; an interrupted
/// call is repeated. Tests derive from it.
class disk {
 public:
  disk() = default;
  virtual ~disk() = default;
  disk(const disk&) = delete;
  disk& operator=(const disk&) = delete;

  /// New files are 0600. Links are not followed, descriptors are closed on exec.
  virtual int open(const std::string& path, int flags);
  virtual void close(int fd) noexcept;
  virtual ssize_t pread(int fd, std::span<char> room, std::uint64_t offset);
  virtual ssize_t pwrite(int fd, std::string_view bytes, std::uint64_t offset);
  virtual int fdatasync(int fd);
  virtual int fsync(int fd);
  /// A hint that what was written will be brought to disk soon. Where several files wait, the file
  /// system then brings them there together, and the fdatasync of each finds little left to do.
  virtual void start_writing(int fd) noexcept;
  virtual int ftruncate(int fd, std::uint64_t size);
  virtual int rename(const std::string& from, const std::string& to);
  virtual int unlink(const std::string& path);
  virtual int mkdir(const std::string& path);  // 0700
  virtual int rmdir(const std::string& path);
  /// Nothing: the file system does not say.
  virtual std::optional<disk_space> space(const std::string& path);

  /// Size of a regular file; nothing, with errno: there is none.
  std::optional<std::uint64_t> size(const std::string& path);
  /// Size of an open file.
  std::optional<std::uint64_t> size(int fd);
  /// Names in a directory but `.` and `..`, in no order. Nothing, with errno: it can't be read.
  std::optional<std::vector<std::string>> names(const std::string& directory);
  bool is_directory(const std::string& path);

  struct entry {
    std::string name;
    bool is_directory = false;
    std::uint64_t size = 0;  // of a regular file
  };
  /// The same with what `is_directory` and `size` say of each.
  std::optional<std::vector<entry>> entries(const std::string& directory);
};

/// For whoever brings no other; lives as long as the program.
disk& real_disk();

/// An open descriptor with one owner.
class open_file {
 public:
  open_file() = default;
  open_file(disk& on, int fd) : disk_{&on}, fd_{fd} {}
  open_file(open_file&& other) noexcept : disk_{other.disk_}, fd_{std::exchange(other.fd_, -1)} {}
  open_file& operator=(open_file&& other) noexcept {
    std::swap(disk_, other.disk_);
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~open_file() { close(); }

  void close() noexcept {
    if (fd_ >= 0) disk_->close(std::exchange(fd_, -1));
  }
  int fd() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  disk* disk_ = nullptr;
  int fd_ = -1;
};

/// Writes all of it, 0, or stops with errno's number. A write of nothing counts as a full disk.
int write_all(disk& on, int fd, std::string_view bytes, std::uint64_t offset);

/// A small file as a whole, at most `most` bytes of it; nothing, with errno: it can't be read.
std::optional<std::string> read_file(disk& on, const std::string& path, std::size_t most);

/// Makes a file that is not there, with that text in it, fsynced; 0 or errno's number. A file that
/// failed half-way is gone again if the disk lets it go.
int write_file(disk& on, const std::string& path, std::string_view text);

/// fsync of a directory: its names are on disk. 0 or errno's number.
int sync_directory(disk& on, const std::string& path);

/// "PATH: can't be written: No space left on device". `code` is an errno.
text::failure refused(const std::string& path, error what, int code);

}  // namespace tofud::journal
