#include "daemon/cli/resume.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/forward/forwarding.hpp"
#include "daemon/forward/spool_sender.hpp"
#include "daemon/spool/notice.hpp"

#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace tofud::cli {
namespace {

struct resume_arguments {
  run_argument run;
  bool all = false;
  std::string server, mask_file, token_file;
};

/// Paths of streams; nothing if that failed, which is said.
std::optional<std::vector<std::string>> streams_of(const resume_arguments& given) {
  const auto env = spool::process_environment();
  if (!given.all) {
    const auto chosen = spool::choose_run(given.run.run, given.run.state_dir, env);
    if (chosen) return std::vector{chosen->path};
    spool::notice(chosen.error().text());
    return std::nullopt;
  }
  const auto kept = spool::kept_runs(given.run.state_dir, env);
  if (!kept) {
    spool::notice(kept.error().text());
    return std::nullopt;
  }
  std::vector<std::string> owed;
  // Oldest first, as they came.
  for (auto run = kept->rbegin(); run != kept->rend(); ++run) {
    if (forward::owes_upload(run->path)) owed.push_back(run->path);
  }
  return owed;
}

int run_resume(const resume_arguments& given) {
  if (given.all == !given.run.run.empty()) {
    spool::notice(
        "name a run: tofud resume RUN, or --all for every run that is not completely sent");
    return 2;
  }
  const auto streams = streams_of(given);
  if (!streams) return 2;
  if (streams->empty()) spool::notice("nothing to send");
  int worst = 0;
  for (const std::string& path : *streams) {
    forward::spool_sender sender{path, {given.server, given.mask_file, given.token_file}};
    const int status = sender.run();
    if (status > 1) return status;  // Ctrl-C ends all of it
    worst = std::max(worst, status);
  }
  return worst;
}

}  // namespace

void add_resume(command& line) {
  auto given = std::make_shared<resume_arguments>();
  command& words = line.add_command(
      "resume", "Send the rest of a stored stream to a daemon, however long it takes");
  words.add_option("RUN", given->run.run, "Run id, the beginning of one, a stream file, or last");
  words.add_flag("--all", given->all, "Every stored run that is not completely sent");
  add_state_dir(words, given->run.state_dir);
  words
      .add_option("--server", given->server,
                  "The daemon: https://HOST[/BASE], http://HOST:PORT or unix:PATH (default: the "
                  "one the run was sent to, else $TOFUD_SERVER unless it is none, else the daemon "
                  "at the default socket)")
      .value("SERVER")
      .check([](const std::string& text) {
        const auto parsed = client::parse_server_address(text);
        return parsed ? std::string{} : parsed.error().text();
      });
  add_ca_file_argument(words);
  add_token_file(words, given->token_file);
  words
      .add_option(
          "--mask-file", given->mask_file,
          "File with values to redact, one on each line; for a run that was never sent before")
      .value("FILE")
      .check(existing_file);
  words.run = [given] { return run_resume(*given); };
}

}  // namespace tofud::cli
