#include "daemon/spool/prune.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/directory_handle.hpp"
#include "daemon/spool/run_id.hpp"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <memory>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>

namespace tofud::spool {
namespace {

struct kept_run {
  std::string id;
  std::uint64_t bytes = 0;
  std::time_t written = 0;          // the spool's last byte; 0: there is no spool
  std::vector<std::string> beside;  // files but the spool
};

/// Oldest first.
std::vector<kept_run> runs_in(DIR* directory) {
  std::map<std::string, kept_run> runs;
  while (const dirent* entry = ::readdir(directory)) {
    const std::string name = static_cast<const char*>(entry->d_name);
    const auto id = name.substr(0, name.find('.'));
    struct stat facts {};
    if (!is_run_id(id) || id.size() == name.size() ||
        ::fstatat(::dirfd(directory), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(facts.st_mode)) {
      continue;
    }
    auto& run = runs[id];
    run.id = id;
    run.bytes += static_cast<std::uint64_t>(facts.st_size);
    if (name == id + ".jsonl") {
      run.written = facts.st_mtime;
    } else {
      run.beside.push_back(name);
    }
  }
  std::vector<kept_run> sorted;
  for (auto& [id, run] : runs) {
    if (run.written != 0) sorted.push_back(std::move(run));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.written < b.written; });
  return sorted;
}

/// The spool goes last, so that what an interrupted removal leaves is found again.
bool remove_unless_used(int directory, const kept_run& run) {
  const auto spool = run.id + ".jsonl";
  const files::descriptor fd{::openat(directory, spool.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
  if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return false;
  for (const auto& name : run.beside) ::unlinkat(directory, name.c_str(), 0);
  return ::unlinkat(directory, spool.c_str(), 0) == 0;
}

}  // namespace

std::vector<pruned_run> prune(const std::string& directory,
                              std::chrono::system_clock::time_point now, const prune_limits& limits,
                              const spared_spool& is_spared) {
  std::vector<pruned_run> removed;
  const files::directory_handle handle{::opendir(directory.c_str())};
  if (!handle) return removed;
  const auto runs = runs_in(handle.get());
  std::uint64_t total = 0;
  for (const auto& run : runs) total += run.bytes;
  for (const auto& run : runs) {
    const auto age = now - std::chrono::system_clock::from_time_t(run.written);
    if (age <= limits.min_age) break;  // the rest is younger still
    if (age <= limits.max_age && total <= limits.total_bytes) break;
    if (is_spared && is_spared(directory + "/" + run.id + ".jsonl")) continue;
    if (!remove_unless_used(::dirfd(handle.get()), run)) continue;
    total -= run.bytes;
    removed.push_back({run.id, run.bytes});
  }
  return removed;
}

std::vector<std::string> remove_run(const std::string& directory, const std::string& id) {
  const files::directory_handle handle{::opendir(directory.c_str())};
  if (!handle) return {};
  for (const auto& run : runs_in(handle.get())) {
    if (run.id != id || !remove_unless_used(::dirfd(handle.get()), run)) continue;
    std::vector<std::string> removed{id + ".jsonl"};
    removed.insert(removed.end(), run.beside.begin(), run.beside.end());
    return removed;
  }
  return {};
}

}  // namespace tofud::spool
