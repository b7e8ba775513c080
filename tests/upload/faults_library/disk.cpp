// A disk that refuses: what writes to files below TOFUD_FAULTS_BELOW fails as the page says. Also
// short writes, as a disk that fills up gives them.
#include <climits>

#include "page.hpp"
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

using faults::next;
using faults::page;
using faults::shared;

bool below(const char* path) {
  const char* const directory = std::getenv("TOFUD_FAULTS_BELOW");
  return directory != nullptr && std::strncmp(path, directory, std::strlen(directory)) == 0;
}

/// Whether the descriptor is a file of the directory. `errno` stays as it is.
bool concerns(int descriptor) {
  const int before = errno;
  struct stat what {};
  bool is = fstat(descriptor, &what) == 0 && (S_ISREG(what.st_mode) || S_ISDIR(what.st_mode));
  if (is) {
    char name[64] = "/proc/self/fd/";
    char digits[16];
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + descriptor % 10);
      descriptor /= 10;
    } while (descriptor != 0);
    std::size_t end = std::strlen(name);
    while (count > 0) name[end++] = digits[--count];
    char path[PATH_MAX];
    const ssize_t length = readlink(name, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    is = below(path);
  }
  errno = before;
  return is;
}

/// True: the call is to fail with `errno` set.
bool fails(const std::atomic<std::int32_t>& error) {
  const int number = error.load();
  if (number == 0 || shared()->skipped.fetch_sub(1) > 0) return false;
  shared()->skipped.store(0);
  shared()->refused.fetch_add(1);
  errno = number;
  return true;
}

/// How much of `size` may be written: less where the disk is nearly full, negative (with `errno`)
/// for an error.
ssize_t allowed(int descriptor, std::size_t size) {
  page* const told = shared();
  if (told == nullptr || (told->write_error.load() == 0 && told->room.load() < 0) ||
      !concerns(descriptor)) {
    return static_cast<ssize_t>(size);
  }
  if (fails(told->write_error)) return -1;
  std::int64_t room = told->room.load();
  if (room < 0) return static_cast<ssize_t>(size);
  std::int64_t taken = 0;
  do {
    taken = room < static_cast<std::int64_t>(size) ? room : static_cast<std::int64_t>(size);
  } while (!told->room.compare_exchange_weak(room, room - taken));
  if (taken == 0 && size > 0) {
    told->refused.fetch_add(1);
    errno = ENOSPC;
    return -1;
  }
  return static_cast<ssize_t>(taken);
}

bool sync_fails(int descriptor) {
  page* const told = shared();
  return told != nullptr && told->sync_error.load() != 0 && concerns(descriptor) &&
         fails(told->sync_error);
}

bool create_fails(const char* path, int flags) {
  page* const told = shared();
  return told != nullptr && (flags & O_CREAT) != 0 && told->create_error.load() != 0 &&
         below(path) && fails(told->create_error);
}

mode_t mode_of(int flags, va_list more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  const ssize_t some = allowed(descriptor, size);
  return some < 0 ? some : real(descriptor, data, static_cast<size_t>(some));
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t at) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite64");
  const ssize_t some = allowed(descriptor, size);
  return some < 0 ? some : real(descriptor, data, static_cast<size_t>(some), at);
}

ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t at) {
  return pwrite(descriptor, data, size, at);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  static const auto real = next<ssize_t (*)(int, const iovec*, int)>("writev");
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  const ssize_t some = allowed(descriptor, size);
  if (some < 0 || static_cast<std::size_t>(some) == size) {
    return some < 0 ? some : real(descriptor, parts, count);
  }
  const std::size_t first = count == 0 ? 0 : parts[0].iov_len;
  const auto left = static_cast<std::size_t>(some);
  return next<ssize_t (*)(int, const void*, size_t)>("write")(descriptor, parts[0].iov_base,
                                                              first < left ? first : left);
}

int fdatasync(int descriptor) {
  static const auto real = next<int (*)(int)>("fdatasync");
  const int result = real(descriptor);
  return sync_fails(descriptor) ? -1 : result;
}

int fsync(int descriptor) {
  static const auto real = next<int (*)(int)>("fsync");
  const int result = real(descriptor);
  return sync_fails(descriptor) ? -1 : result;
}

int open(const char* path, int flags, ...) {
  static const auto real = next<int (*)(const char*, int, ...)>("open64");
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return create_fails(path, flags) ? -1 : real(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open(path, flags, mode);
}

int openat(int directory, const char* path, int flags, ...) {
  static const auto real = next<int (*)(int, const char*, int, ...)>("openat64");
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  page* const told = shared();
  if (told != nullptr && (flags & O_CREAT) != 0 && told->create_error.load() != 0 &&
      (path[0] == '/' ? below(path) : directory >= 0 && concerns(directory)) &&
      fails(told->create_error)) {
    return -1;
  }
  return real(directory, path, flags, mode);
}

int openat64(int directory, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return openat(directory, path, flags, mode);
}

int mkdir(const char* path, mode_t mode) {
  static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
  return create_fails(path, O_CREAT) ? -1 : real(path, mode);
}

}  // extern "C"
