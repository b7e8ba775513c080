#include "daemon/cli/backup.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/token_place.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/journal/backup.hpp"
#include "daemon/spool/notice.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tofud::cli {
namespace {

struct backup_arguments {
  std::string state_dir, to;
};

/// A directory of this user's alone, gone with all that is in it at the end of its scope.
class temporary_directory {
 public:
  temporary_directory() {
    std::error_code failed;
    path_ = std::filesystem::temp_directory_path(failed).string() + "/tofud-backup-XXXXXX";
    if (failed || ::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  ~temporary_directory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  /// Empty: it could not be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Writes a directory's content to standard output. 0, or tar's exit status.
int run_tar(const std::string& of) {
  std::vector<std::string> words{"tar", "-C", of, "-cf", "-", "."};
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& each : words) argv.push_back(each.data());
  argv.push_back(nullptr);
  ::pid_t pid = -1;
  if (const int failed = ::posix_spawnp(&pid, "tar", nullptr, nullptr, argv.data(), environ);
      failed != 0) {
    spool::notice(std::string{"tar can't be started: "} + std::strerror(failed));
    return 1;
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// The copy has to be whole before it is written: what a daemon stores grows meanwhile.
int write_backup(const std::string& from) {
  if (::isatty(STDOUT_FILENO) == 1) {
    spool::notice("the backup would be written to the terminal; lead it into a file or a program");
    return 2;
  }
  const temporary_directory room;
  if (room.path().empty()) {
    spool::notice("no temporary directory can be made; TMPDIR says where");
    return 1;
  }
  const std::string copy = room.path() + "/backup";
  const auto made = journal::back_up(journal::real_disk(), from, copy);
  if (!made) {
    spool::notice(made.error().text());
    return 1;
  }
  return run_tar(copy);
}

int make_backup(const backup_arguments& given) {
  const std::string from = known_daemon_directory(given.state_dir);
  if (from.empty()) {
    spool::notice("there is no daemon whose runs this user may read; give its --state-dir");
    return 1;
  }
  if (given.to == "-") return write_backup(from);
  const auto made = journal::back_up(journal::real_disk(), from, given.to);
  if (!made) {
    spool::notice(made.error().text());
    return 1;
  }
  const std::string sentence = given.to + " has " + std::to_string(made->runs) + " runs, " +
                               std::to_string(made->files) + " files of " +
                               std::to_string(made->bytes) +
                               " bytes; copied now: " + std::to_string(made->copied) + "\n";
  return files::write_all(STDOUT_FILENO, sentence) ? 0 : 1;
}

}  // namespace

void add_backup(command& line) {
  auto given = std::make_shared<backup_arguments>();
  command& words = line.add_command(
      "backup", "Copy what a daemon stores into a directory, while the daemon runs");
  words
      .add_option("DIR", given->to,
                  "Directory of the backup; it is made if need be, and what it has already is not "
                  "copied again. -: a tar archive on standard output")
      .required();
  add_state_dir(words, given->state_dir);
  words.footer("tofud reindex --check DIR says whether a backup is whole.");
  words.run = [given] { return make_backup(*given); };
}

}  // namespace tofud::cli
