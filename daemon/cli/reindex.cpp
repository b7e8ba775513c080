#include "daemon/cli/reindex.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::commands {
namespace {

int run_reindex(const std::string& server) {
  const auto daemon = daemon_for(server, false, "");
  if (!daemon) return 2;
  if (!daemon->service) {
    reader::notice("no daemon is named or found; --server names one");
    return 2;
  }
  const auto asked = daemon->service->reindex();
  if (!asked) {
    reader::notice(asked.error().sentence);
    return 1;
  }
  const std::string sentence =
      daemon->service->at().shown + " makes its index again from the directories of its runs\n";
  return files::write_all(STDOUT_FILENO, sentence) ? 0 : 1;
}

}  // namespace

command add_reindex(CLI::App& line) {
  auto server = std::make_shared<std::string>();
  CLI::App* words = line.add_subcommand(
      "reindex", "Let a daemon make its list of runs again from what it keeps on disk");
  words
      ->add_option("--server", *server,
                   "The daemon: http://HOST:PORT or unix:PATH (default: $TOFUD_SERVER, unless "
                   "that is none, else the one at its usual socket)")
      ->type_name("SERVER");
  return {words, [server] { return run_reindex(*server); }};
}

}  // namespace tofud::commands
