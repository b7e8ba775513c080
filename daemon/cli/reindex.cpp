#include "daemon/cli/reindex.hpp"

#include "daemon/archive/check.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"

#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

int run_reindex(const std::string& server, const std::string& run) {
  const auto daemon = daemon_for(server, false, "");
  if (!daemon) return 2;
  if (!daemon->service) {
    spool::notice("no daemon was found; name one with --server");
    return 2;
  }
  const auto asked = daemon->service->reindex(run);
  if (!asked) {
    spool::notice(asked.error().sentence);
    return 1;
  }
  const std::string sentence =
      daemon->service->at().shown + (run.empty()
                                         ? " rebuilds its index from the directories of its runs\n"
                                         : " reads run " + run + " again\n");
  return files::write_all(STDOUT_FILENO, sentence) ? 0 : 1;
}

int check(const std::string& backup) {
  const auto found = archive::check(journal::real_disk(), backup);
  if (!found) {
    spool::notice(found.error().text());
    return 1;
  }
  const std::string sentence = backup + " is whole: " + std::to_string(found->runs) + " runs, " +
                               std::to_string(found->files) + " files of " +
                               std::to_string(found->bytes) + " bytes\n";
  return files::write_all(STDOUT_FILENO, sentence) ? 0 : 1;
}

}  // namespace

void add_reindex(command& line) {
  auto checked = std::make_shared<std::string>();
  auto server = std::make_shared<std::string>();
  auto run = std::make_shared<std::string>();
  command& words = line.add_command(
      "reindex", "Make a daemon rebuild its list of runs from what it stores on disk");
  words.add_option("RUN", *run,
                   "Only this run, by its full id: makes the daemon retry a run that it gave up "
                   "because it died while reading it");
  words
      .add_option("--server", *server,
                  "The daemon: http://HOST:PORT or unix:PATH (default: $TOFUD_SERVER unless it is "
                  "none, else the daemon at the default socket)")
      .value("SERVER");
  words
      .add_option(
          "--check", *checked,
          "Instead, read this backup (tofud backup) or archive and say whether every file is as "
          "it was copied")
      .value("DIR");
  words.run = [server, run, checked] {
    return checked->empty() ? run_reindex(*server, *run) : check(*checked);
  };
}

}  // namespace tofud::cli
