#include "daemon/keeper/spool_writer.hpp"

#include "daemon/keeper/file_growth.hpp"
#include "daemon/spool/run_id.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>

namespace tofud::keeper {
namespace {

/// Free space is looked at again after so many bytes.
constexpr std::uint64_t check_every = limits::mib;

/// Other runs that began in the same minute may have drawn the same digits; this many can't.
constexpr int draws = 100;

bool nearly_full(int fd, const spool_caps& caps) noexcept {
  struct statvfs disk {};
  if (::fstatvfs(fd, &disk) != 0 || disk.f_blocks == 0) return false;  // does not say
  const std::uint64_t size = std::uint64_t{disk.f_blocks} * disk.f_frsize;
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  return free < std::min(caps.free_bytes, size / 100 * caps.free_percent);
}

files::descriptor create_file(const spool::spool_place& place, const std::string& name) {
  // O_APPEND, since the worker shares the offset of the descriptor.
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
  return files::descriptor{::openat(place.fd.get(), name.c_str(), flags, 0600)};
}

files::descriptor memory_file(const std::string& name) {
  files::descriptor fd{::memfd_create(name.c_str(), MFD_CLOEXEC)};
  if (fd) ::fcntl(fd.get(), F_SETFL, O_APPEND);
  return fd;
}

/// Nothing, with errno, if the place takes no files.
std::optional<spool_writer::opened_files> create_files(
    const spool::spool_place& place, std::chrono::system_clock::time_point now,
    const std::function<std::uint16_t()>& digits) {
  for (int draw = 0; draw < draws; ++draw) {
    spool_writer::opened_files files;
    files.id = spool::run_id(now, digits());
    const auto name = files.id + ".jsonl";
    files.path = place.directory + "/" + name;
    files.lines = create_file(place, name);
    if (!files.lines && errno == EEXIST) continue;
    if (!files.lines) return std::nullopt;
    ::flock(files.lines.get(), LOCK_EX | LOCK_NB);  // nobody else knows the file yet
    files.events = create_file(place, files.id + ".events");
    if (files.events) return files;
    const int error = errno;
    ::unlinkat(place.fd.get(), name.c_str(), 0);
    if (error == EEXIST) continue;
    errno = error;
    return std::nullopt;
  }
  errno = EEXIST;
  return std::nullopt;
}

/// Nothing: the file system does not say.
std::optional<std::uint64_t> free_around(int fd) noexcept {
  struct statvfs disk {};
  if (::fstatvfs(fd, &disk) != 0 || disk.f_blocks == 0) return std::nullopt;
  return std::uint64_t{disk.f_bavail} * disk.f_frsize;
}

}  // namespace

spool_writer::spool_writer(opened_files opened, spool_home home, const spool_caps& caps)
    : files_{std::move(opened)},
      home_{home},
      caps_{caps},
      written_{file_size(files_.lines.get())},
      next_check_{written_} {}

std::string spool_writer::where() const { return home_ == spool_home::disk ? path() : "memory"; }

bool spool_writer::is_short_of_room() const noexcept {
  const auto free = free_around(lines_fd());
  return home_ == spool_home::disk && free && *free < caps_.free_bytes;
}

bool spool_writer::is_out_of_room() const noexcept {
  constexpr std::uint64_t some_lines = 16 * limits::kib;
  const auto free = free_around(lines_fd());
  return home_ == spool_home::disk && free && *free < some_lines;
}

spool_writer::appended spool_writer::append(std::span<const char> bytes) noexcept {
  const auto cap = home_ == spool_home::disk ? caps_.bytes : caps_.memory_bytes;
  appended result;
  const auto stopped = [&](stop_reason reason, int error = 0) {
    result.stop = storing_stop{reason, error, written_};
    return result;
  };
  while (result.bytes < bytes.size()) {
    if (written_ >= cap) return stopped(stop_reason::spool_limit);
    if (written_ >= next_check_) {
      if (home_ == spool_home::disk && nearly_full(lines_fd(), caps_))
        return stopped(stop_reason::disk_nearly_full);
      next_check_ = written_ + check_every;
    }
    const auto piece =
        std::min({bytes.size() - result.bytes, cap - written_, next_check_ - written_});
    const auto n = ::write(lines_fd(), bytes.data() + result.bytes, piece);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return stopped(stop_reason::write_error, n < 0 ? errno : ENOSPC);
    result.bytes += static_cast<std::size_t>(n);
    written_ += static_cast<std::uint64_t>(n);
  }
  return result;
}

bool write_event(int events_fd, std::string_view line) noexcept {
  try {
    const auto text = std::string{line} + '\n';
    ssize_t n = 0;
    do {
      n = ::write(events_fd, text.data(), text.size());
    } while (n < 0 && errno == EINTR);
    return n == static_cast<ssize_t>(text.size());
  } catch (const std::bad_alloc&) {
    return false;
  }
}

std::string read_events(int events_fd) {
  std::string text;
  std::array<char, 4096> room;
  for (;;) {
    const auto n = ::pread(events_fd, room.data(), room.size(), static_cast<off_t>(text.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(room.data(), static_cast<std::size_t>(n));
  }
}

opened_spool open_spool(const std::string& state_dir, const spool::environment& env,
                        const spool_caps& caps, std::chrono::system_clock::time_point now,
                        const std::function<std::uint16_t()>& digits) {
  std::vector<std::string> refused;
  for (const auto& candidate : spool::place_candidates(state_dir, env)) {
    auto [place, refusal] = spool::enter_place(candidate);
    if (place && nearly_full(place->fd.get(), caps)) {
      refusal = "is nearly full";
    } else if (place) {
      if (auto files = create_files(*place, now, digits)) {
        std::vector<std::string> remarks;
        // Only the place that was asked for is worth a word; the others are habits, not wishes.
        if (!state_dir.empty() && !refused.empty()) {
          remarks.push_back(refused.front() + "; the stream is stored in " + files->path);
        }
        return {spool_writer{std::move(*files), spool_home::disk, caps}, std::move(remarks)};
      }
      refusal = std::generic_category().message(errno);
    }
    refused.push_back(candidate.directory + ": " + refusal);
  }
  std::string all = "no directory is writable for this run's stream (";
  for (const auto& one : refused) all += (&one == &refused.front() ? "" : "; ") + one;
  all += "); it is stored in memory, up to " + std::to_string(caps.memory_bytes / limits::mib) +
         " MiB, and lost at the end";
  spool_writer::opened_files files;
  files.id = spool::run_id(now, digits());
  files.lines = memory_file(files.id + ".jsonl");
  files.events = memory_file(files.id + ".events");
  return {spool_writer{std::move(files), spool_home::memory, caps}, {std::move(all)}};
}

}  // namespace tofud::keeper
