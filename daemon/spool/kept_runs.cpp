#include "daemon/spool/kept_runs.hpp"

#include "daemon/files/directory_handle.hpp"
#include "daemon/files/errors.hpp"
#include "daemon/spool/errors.hpp"
#include "daemon/spool/run_id.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <tuple>

namespace tofud::spool {
namespace {

constexpr std::string_view ending = ".jsonl";
constexpr std::size_t minute_digits = 13;  // of "20261121T0312-7f3a"
constexpr std::size_t named = 5;           // runs in a sentence about too many

/// Null, with errno, if it can't be read or others could have put something there.
files::directory_handle open_place(const place_candidate& place) {
  const bool shared = place.trust == place_trust::shared;
  const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (shared ? O_NOFOLLOW : 0);
  const int fd = ::open(place.directory.c_str(), flags);
  if (fd < 0) return nullptr;
  struct stat facts {};
  const bool ours = !shared || (::fstat(fd, &facts) == 0 && facts.st_uid == ::geteuid() &&
                                (facts.st_mode & 077) == 0);
  DIR* opened = ours ? ::fdopendir(fd) : nullptr;
  if (opened == nullptr) ::close(fd);
  return files::directory_handle{opened};
}

std::chrono::system_clock::time_point time_of(const struct statx_timestamp& stamp) {
  return std::chrono::system_clock::time_point{std::chrono::seconds{stamp.tv_sec} +
                                               std::chrono::microseconds{stamp.tv_nsec / 1000}};
}

std::optional<kept_run> run_of(const place_candidate& place, int directory,
                               const std::string& name) {
  if (!name.ends_with(ending)) return std::nullopt;
  kept_run run;
  run.id = name.substr(0, name.size() - ending.size());
  struct statx facts {};
  if (!is_run_id(run.id) ||
      ::statx(directory, name.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME,
              &facts) != 0 ||
      !S_ISREG(facts.stx_mode)) {
    return std::nullopt;
  }
  run.path = place.directory + "/" + name;
  run.bytes = facts.stx_size;
  run.began = time_of((facts.stx_mask & STATX_BTIME) != 0 ? facts.stx_btime : facts.stx_mtime);
  return run;
}

// The minute stands in the id; within one only the file system knows.
bool newer(const kept_run& a, const kept_run& b) {
  const auto order = [](const kept_run& run) {
    return std::tuple{std::string_view{run.id}.substr(0, minute_digits), run.began,
                      std::string_view{run.id}};
  };
  return order(a) > order(b);
}

bool is_file(const std::string& path) {
  std::error_code failed;
  return std::filesystem::exists(path, failed) && !std::filesystem::is_directory(path, failed);
}

std::string places_text(const std::string& state_dir) {
  return state_dir.empty() ? "" : " in " + state_dir;
}

}  // namespace

id_and_part taken_apart(const std::string& text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) return {text, ""};
  const std::string part = text.substr(dot + 1);
  const bool digits = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
  return digits ? id_and_part{text.substr(0, dot), part} : id_and_part{text, ""};
}

text::failure too_many_runs(const std::string& text, const std::vector<std::string>& ids) {
  std::string some;
  for (std::size_t i = 0; i < std::min(named, ids.size()); ++i) {
    some += (i == 0 ? "" : ", ") + ids[i];
  }
  if (ids.size() > named) some += ", …";
  return {error::ambiguous, text, ids.size(), some};
}

text::result<std::vector<kept_run>> kept_runs(const std::string& state_dir,
                                              const environment& env) {
  std::vector<place_candidate> places = place_candidates(state_dir, env);
  if (!state_dir.empty()) places.resize(1);
  std::vector<kept_run> runs;
  for (const place_candidate& place : places) {
    const files::directory_handle directory = open_place(place);
    if (!directory && !state_dir.empty()) {
      return text::failure{files::error::unreadable, state_dir, std::strerror(errno)};
    }
    if (!directory) continue;
    while (const dirent* entry = ::readdir(directory.get())) {
      const std::string name = static_cast<const char*>(entry->d_name);
      if (auto run = run_of(place, ::dirfd(directory.get()), name)) runs.push_back(std::move(*run));
    }
  }
  // Two places may be one: $STATE_DIRECTORY is often under $XDG_STATE_HOME.
  std::sort(runs.begin(), runs.end(), newer);
  const auto same = [](const kept_run& a, const kept_run& b) { return a.path == b.path; };
  runs.erase(std::unique(runs.begin(), runs.end(), same), runs.end());
  return runs;
}

text::result<chosen_run> choose_run(const std::string& text, const std::string& state_dir,
                                    const environment& env) {
  const auto [id, part] = taken_apart(text);
  const bool path = text.find('/') != std::string::npos;
  if (path || (text != "last" && !is_run_id(id) && is_file(text))) return chosen_run{text, ""};
  const auto kept = kept_runs(state_dir, env);
  if (!kept) return kept.error();
  if (kept->empty()) return text::failure{error::nothing_kept, places_text(state_dir)};
  if (text == "last") return chosen_run{kept->front().path, ""};
  std::vector<const kept_run*> found;
  std::vector<std::string> ids;
  for (const kept_run& run : *kept) {
    if (id.empty() || !run.id.starts_with(id)) continue;
    found.push_back(&run);
    ids.push_back(run.id);
  }
  if (found.empty()) {
    return text::failure{error::not_kept, text, places_text(state_dir)};
  }
  if (found.size() > 1) return too_many_runs(text, ids);
  chosen_run chosen{found.front()->path, ""};
  // The first run of a stream has the stream's id.
  if (!part.empty()) chosen.only = found.front()->id + (part == "1" ? "" : "." + part);
  return chosen;
}

}  // namespace tofud::spool
