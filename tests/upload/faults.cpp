// A disk that refuses and a clock that jumps, for one process: preloaded into a daemon, told what
// to do by a page of memory that a test shares with it, so that faults come and go while it runs.
//
// Only files below TOFUD_FAULTS_BELOW are touched. TOFUD_FAULTS names the file with the page.
#include <climits>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

/// As tests/upload/faults.py writes it; native byte order.
struct page {
  std::atomic<std::int32_t> write_error;   // errno of every write, 0: none
  std::atomic<std::int32_t> sync_error;    // of fsync and fdatasync, which still do their work
  std::atomic<std::int32_t> create_error;  // of what makes a file or directory
  std::atomic<std::int32_t> skipped;       // so many calls that would fail still pass
  std::atomic<std::int64_t> room;          // bytes until ENOSPC, negative: any number
  std::atomic<std::int64_t> clock_ms;      // added to the wall clock
  std::atomic<std::int64_t> refused;       // calls that failed, told to the test
  std::atomic<std::int64_t> haste;         // the steady clock goes so much faster, 0 and 1: not
  std::atomic<std::int64_t> hasty_since;   // from here on, in its nanoseconds
};
static_assert(sizeof(page) == 56 && std::atomic<std::int64_t>::is_always_lock_free);

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

page* shared() {
  static page* const found = [] {
    const char* const path = std::getenv("TOFUD_FAULTS");
    const int file = path == nullptr
                         ? -1
                         : next<int (*)(const char*, int, ...)>("open")(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return static_cast<page*>(nullptr);
    void* const mapped = mmap(nullptr, sizeof(page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return mapped == MAP_FAILED ? nullptr : static_cast<page*>(mapped);
  }();
  return found;
}

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

std::int64_t jump_ms() { return shared() == nullptr ? 0 : shared()->clock_ms.load(); }

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

int clock_gettime(clockid_t clock, timespec* now) {
  static const auto real = next<int (*)(clockid_t, timespec*)>("clock_gettime");
  const int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    now->tv_sec += jump_ms() / 1000;
    now->tv_nsec += jump_ms() % 1000 * 1'000'000;
    if (now->tv_nsec >= 1'000'000'000) ++now->tv_sec, now->tv_nsec -= 1'000'000'000;
    if (now->tv_nsec < 0) --now->tv_sec, now->tv_nsec += 1'000'000'000;
  } else if (result == 0 && clock == CLOCK_MONOTONIC && shared() != nullptr &&
             shared()->haste.load() > 1) {
    constexpr std::int64_t second = 1'000'000'000;
    const std::int64_t since = now->tv_sec * second + now->tv_nsec - shared()->hasty_since.load();
    const std::int64_t hasty = shared()->hasty_since.load() + since * shared()->haste.load();
    if (since > 0) *now = timespec{hasty / second, hasty % second};
  }
  return result;
}

int gettimeofday(timeval* now, void* zone) {
  timespec exact{};
  const int result = clock_gettime(CLOCK_REALTIME, &exact);
  *now = timeval{exact.tv_sec, exact.tv_nsec / 1000};
  static_cast<void>(zone);
  return result;
}

time_t time(time_t* now) {
  timespec exact{};
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now != nullptr) *now = exact.tv_sec;
  return exact.tv_sec;
}

}  // extern "C"
