#include "daemon/cli/list.hpp"

#include "daemon/api/limits.hpp"
#include "daemon/api/run_filter.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/run_listing.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/forward/forwarding.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/run_table.hpp"
#include "protocol/feed/encode.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct list_arguments {
  std::string state_dir, server, token_file;
  bool no_server = false;
  filter_words words;
  bool json = false, all = false;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
};

std::string rows_text(const run_listing& found) {
  std::string text;
  for (const auto& each : found.runs) {
    if (!each.read) continue;
    feed::encode(text, each.run, 0);
    text.push_back('\n');
  }
  return text;
}

std::string table_text(const run_listing& found, const list_arguments& given) {
  const auto [width, look] = look_of_stdout(given.colour);
  std::string text;
  for (const std::string& each :
       terminal::run_table(found.runs, std::chrono::system_clock::now(), width, look)) {
    text.append(each).push_back('\n');
  }
  return text;
}

void say_what_is_missing(const run_listing& found) {
  if (found.left_out > 0) {
    spool::notice("and " + std::to_string(found.left_out) + " more; --all lists them");
  } else if (found.more_there) {
    spool::notice("and more at the daemon; --all lists them");
  }
  if (found.unread > 0) {
    spool::notice(std::to_string(found.unread) +
                  " were not read because they are large; --all reads them");
  }
  const auto owed =
      std::count_if(found.kept.begin(), found.kept.end(),
                    [](const spool::kept_run& run) { return forward::owes_upload(run.path); });
  if (owed > 0) {
    spool::notice(std::to_string(owed) + (owed == 1 ? " is" : " are") +
                  " not completely sent to a daemon; `tofud resume --all` sends the rest");
  }
}

int run_list(const list_arguments& given) {
  const auto wanted = parse_filter(given.words, operations::utc_now());
  if (!wanted) {
    spool::notice(wanted.error().text());
    return 2;
  }
  const auto found = list_runs(
      {given.state_dir, given.server, given.token_file, given.no_server, *wanted, {}, given.all});
  if (!found) return 2;
  if (found->runs.empty()) {
    spool::notice(!wanted->is_empty()
                      ? "no run matches"
                      : "no run is stored" +
                            (given.state_dir.empty() ? std::string{} : " in " + given.state_dir) +
                            "; `tofu apply -json … | tofud` stores one");
    return 0;
  }
  if (!files::write_all(STDOUT_FILENO,
                        given.json ? rows_text(*found) : table_text(*found, given))) {
    return 1;
  }
  say_what_is_missing(*found);
  return 0;
}

}  // namespace

void add_list(command& line) {
  auto given = std::make_shared<list_arguments>();
  command& words =
      line.add_command("ls", "List the stored runs, here and at a daemon, newest first");
  add_state_dir(words, given->state_dir);
  add_server_arguments(words, given->server, given->no_server, given->token_file);
  words
      .add_option(
          "--status", given->words.statuses,
          "Only runs with this status: running, succeeded, failed, interrupted, lost or unknown")
      .value("STATUS");
  words.add_option("--label", given->words.labels, "Only runs with this label").value("KEY=VALUE");
  words
      .add_option("-q", given->words.text, "Only runs with this text in their id, stack or a label")
      .value("TEXT");
  words
      .add_option("--since", given->words.since,
                  "Only runs that began at this time or later, or after this run: "
                  "2026-11-21T03:00:00Z, 2026-11-21 (UTC), 24h, 7d")
      .value("TIME|RUN");
  words
      .add_option("--until", given->words.until,
                  "Only runs that began before this time, or before this run; a date means its end")
      .value("TIME|RUN");
  words.add_option("--stack", given->words.stack, "Only runs of exactly this stack").value("STACK");
  words.add_flag("--json", given->json, "Print the feed's run rows, one on each line");
  words.add_flag(
      "--all", given->all,
      "List every run (default: the newest " + std::to_string(limits::listed_runs) + ")");
  add_colour_argument(words, given->colour);
  words.run = [given] { return run_list(*given); };
}

}  // namespace tofud::cli
