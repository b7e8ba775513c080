#include "daemon/cli/reindex.hpp"

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
    spool::notice("no daemon is named or found; --server names one");
    return 2;
  }
  const auto asked = daemon->service->reindex(run);
  if (!asked) {
    spool::notice(asked.error().sentence);
    return 1;
  }
  const std::string sentence =
      daemon->service->at().shown +
      (run.empty() ? " makes its index again from the directories of its runs\n"
                   : " reads run " + run + " again\n");
  return files::write_all(STDOUT_FILENO, sentence) ? 0 : 1;
}

}  // namespace

void add_reindex(command& line) {
  auto server = std::make_shared<std::string>();
  auto run = std::make_shared<std::string>();
  command& words = line.add_command(
      "reindex", "Let a daemon make its list of runs again from what it keeps on disk");
  words.add_option("RUN", *run,
                   "Only this run, by its whole id: one that the daemon gave up, since it died "
                   "while it read it, is tried again");
  words
      .add_option("--server", *server,
                  "The daemon: http://HOST:PORT or unix:PATH (default: $TOFUD_SERVER, unless "
                  "that is none, else the one at its usual socket)")
      .value("SERVER");
  words.run = [server, run] { return run_reindex(*server, *run); };
}

}  // namespace tofud::cli
