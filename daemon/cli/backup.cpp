#include "daemon/cli/backup.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/token_place.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/journal/backup.hpp"
#include "daemon/spool/notice.hpp"

#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct backup_arguments {
  std::string state_dir, to;
};

int make_backup(const backup_arguments& given) {
  const std::string from = known_daemon_directory(given.state_dir);
  if (from.empty()) {
    spool::notice("there is no daemon whose runs this user may read; give its --state-dir");
    return 1;
  }
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
                  "copied again")
      .required();
  add_state_dir(words, given->state_dir);
  words.footer("tofud reindex --check DIR says whether a backup is whole.");
  words.run = [given] { return make_backup(*given); };
}

}  // namespace tofud::cli
