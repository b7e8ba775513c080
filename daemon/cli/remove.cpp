#include "daemon/cli/remove.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/history/machine_history.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/prune.hpp"
#include "daemon/spool/run_id.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct remove_arguments {
  run_argument run;
  bool local = false, keep_archived = false;
};

enum class removal : std::uint8_t { done, nothing_there, failed };

void say(const std::string& sentence) { files::write_all(STDOUT_FILENO, sentence + "\n"); }

removal remove_there(const client::service& at, const remove_arguments& given) {
  const std::string& run = given.run.run;
  const auto copy =
      given.keep_archived ? client::archived_copy::stays : client::archived_copy::goes;
  const auto removed = at.remove(run, copy);
  if (removed) {
    say("removed " + run + " at " + at.at().shown);
    return removal::done;
  }
  if (removed.error().what == client::trouble::not_found) return removal::nothing_there;
  spool::notice(removed.error().sentence);
  return removal::failed;
}

removal remove_here(const remove_arguments& given) {
  const auto kept = spool::kept_runs(given.run.state_dir, spool::process_environment());
  if (!kept) {
    spool::notice(kept.error().text());
    return removal::failed;
  }
  const auto found = std::find_if(kept->begin(), kept->end(),
                                  [&](const auto& run) { return run.id == given.run.run; });
  if (found == kept->end()) return removal::nothing_there;
  const std::string directory = std::filesystem::path{found->path}.parent_path();
  if (auto history = history::machine_history::open_existing(directory); history && *history)
    (*history)->forget(found->id);
  const auto removed = spool::remove_run(directory, found->id);
  if (removed.empty()) {
    spool::notice(found->path + " is still there: it is in use or can't be removed");
    return removal::failed;
  }
  for (const std::string& name : removed) {
    say(std::string{"removed "}.append(directory).append("/").append(name));
  }
  return removal::done;
}

int run_remove(const remove_arguments& given) {
  if (!spool::is_run_id(given.run.run)) {
    spool::notice("'" + given.run.run +
                  "' is not a full run id; `tofud rm` does not accept abbreviations");
    return 2;
  }
  const auto daemon = daemon_for(given.run.server, given.run.no_server, given.run.token_file);
  if (!daemon) return 2;
  if (!daemon->service && !given.local) {
    spool::notice(
        "no daemon was found; name one with --server, or use --local to remove what is stored "
        "here");
    return 2;
  }
  const removal there =
      daemon->service ? remove_there(*daemon->service, given) : removal::nothing_there;
  const removal here = given.local ? remove_here(given) : removal::nothing_there;
  if (there == removal::failed || here == removal::failed) return 1;
  if (there == removal::nothing_there && here == removal::nothing_there) {
    spool::notice("there is no run " + given.run.run +
                  (daemon->service ? " at " + daemon->service->at().shown : "") +
                  (given.local ? (daemon->service ? " or here" : " here") : ""));
    return 2;
  }
  return 0;
}

}  // namespace

void add_remove(command& line) {
  auto given = std::make_shared<remove_arguments>();
  command& words =
      line.add_command("rm", "Delete a run from a daemon for good; it is never sent there again");
  words.add_option("RUN", given->run.run, "The full id of the run").required();
  add_state_dir(words, given->run.state_dir);
  add_server_arguments(words, given->run.server, given->run.no_server, given->run.token_file);
  words.add_flag("--local", given->local, "Also remove what is stored of it here");
  words.add_flag("--keep-archived", given->keep_archived,
                 "Leave the copy of it that the daemon's archive has; without this the run is "
                 "removed there first");
  words.run = [given] { return run_remove(*given); };
}

}  // namespace tofud::cli
