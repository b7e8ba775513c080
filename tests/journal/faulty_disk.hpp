// A disk that refuses what a test names, or everything from some operation on, as after a crash.
#pragma once

#include "daemon/journal/disk.hpp"

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unistd.h>

namespace tofud::journal {

/// Sees every operation that changes the disk. The real one is underneath, so what it lets through
/// is there for whoever opens the directory afterwards.
class faulty_disk : public disk {
 public:
  enum class verdict { works, fails, writes_half };
  /// `what` is the call's name, `path` what it is about; sets errno when it lets the call fail.
  using judge = std::function<verdict(std::string_view what, const std::string& path)>;

  faulty_disk() = default;
  explicit faulty_disk(judge rules) : rules_{std::move(rules)} {}

  void set(judge rules) {
    const std::lock_guard held{mutex_};
    rules_ = std::move(rules);
  }
  /// Every operation from that one on fails and does nothing.
  void crash_at(std::uint64_t operation) {
    const std::lock_guard held{mutex_};
    crash_at_ = operation;
  }
  std::uint64_t operations() const {
    const std::lock_guard held{mutex_};
    return operations_;
  }
  bool crashed() const { return operations() >= crash_at_; }

  enum class unsynced { is_lost, reads_as_nul };
  /// As after a power cut: what was written and never brought to disk.
  void cut_power(unsynced what) {
    const std::lock_guard held{mutex_};
    for (const auto& [path, synced] : synced_) {
      const auto there = size(path);
      if (!there || *there <= synced) continue;
      const int fd = disk::open(path, O_RDWR);
      if (what == unsynced::is_lost)
        disk::ftruncate(fd, synced);
      else
        disk::pwrite(fd, std::string(*there - synced, '\0'), synced);
      disk::close(fd);
    }
    synced_.clear();
  }

  int open(const std::string& path, int flags) override {
    const bool makes = (flags & (O_CREAT | O_TRUNC)) != 0;
    if (makes && judged("open", path) != verdict::works) return -1;
    const int fd = disk::open(path, flags);
    const std::lock_guard held{mutex_};
    if (fd >= 0) paths_[fd] = path;
    return fd;
  }
  void close(int fd) noexcept override {
    {
      const std::lock_guard held{mutex_};
      paths_.erase(fd);
    }
    disk::close(fd);
  }
  ssize_t pwrite(int fd, std::string_view bytes, std::uint64_t offset) override {
    {
      const std::lock_guard held{mutex_};
      synced_.emplace(paths_[fd], offset);  // the first write after a sync; none: nothing was
    }
    switch (judged("pwrite", path_of(fd))) {
      case verdict::fails:
        return -1;
      case verdict::writes_half:
        return disk::pwrite(fd, bytes.substr(0, (bytes.size() + 1) / 2), offset);
      case verdict::works:
        return disk::pwrite(fd, bytes, offset);
    }
    return -1;
  }
  int fdatasync(int fd) override { return synced(fd, "fdatasync"); }
  int fsync(int fd) override { return synced(fd, "fsync"); }
  int ftruncate(int fd, std::uint64_t size) override {
    return judged("ftruncate", path_of(fd)) == verdict::works ? disk::ftruncate(fd, size) : -1;
  }
  int rename(const std::string& from, const std::string& to) override {
    if (judged("rename", from) != verdict::works) return -1;
    const std::lock_guard held{mutex_};
    std::map<std::string, std::uint64_t> moved;
    for (const auto& [path, size] : synced_)
      moved[path.starts_with(from) ? to + path.substr(from.size()) : path] = size;
    synced_ = std::move(moved);
    return disk::rename(from, to);
  }
  int unlink(const std::string& path) override {
    return judged("unlink", path) == verdict::works ? disk::unlink(path) : -1;
  }
  int mkdir(const std::string& path) override {
    return judged("mkdir", path) == verdict::works ? disk::mkdir(path) : -1;
  }
  int rmdir(const std::string& path) override {
    return judged("rmdir", path) == verdict::works ? disk::rmdir(path) : -1;
  }

 private:
  verdict judged(std::string_view what, const std::string& path) {
    const std::lock_guard held{mutex_};
    const auto number = operations_++;
    if (number > crash_at_) {
      errno = EIO;
      return verdict::fails;
    }
    if (number == crash_at_) {  // the last one of this process: a write may get half-way
      errno = EIO;
      return what == "pwrite" && half_at_crash ? verdict::writes_half : verdict::fails;
    }
    return rules_ ? rules_(what, path) : verdict::works;
  }
  int synced(int fd, std::string_view what) {
    if (judged(what, path_of(fd)) != verdict::works) return -1;
    const std::lock_guard held{mutex_};
    synced_.erase(paths_[fd]);
    return 0;
  }
  std::string path_of(int fd) const {
    const std::lock_guard held{mutex_};
    const auto found = paths_.find(fd);
    return found == paths_.end() ? "" : found->second;
  }

  mutable std::mutex mutex_;
  judge rules_;
  std::map<int, std::string> paths_;
  std::map<std::string, std::uint64_t> synced_;  // how much, of files that have more
  std::uint64_t operations_ = 0, crash_at_ = static_cast<std::uint64_t>(-1);

 public:
  bool half_at_crash = true;
};

/// Refuses one call of that name on files whose path ends so, with that errno, `times` times.
inline faulty_disk::judge refuses(std::string what, std::string end, int error, int times = 1) {
  return [=](std::string_view call, const std::string& path) mutable {
    if (call != what || !path.ends_with(end) || times == 0) return faulty_disk::verdict::works;
    --times;
    errno = error;
    return faulty_disk::verdict::fails;
  };
}

}  // namespace tofud::journal
