#include "daemon/cli/list.hpp"

#include "daemon/api/limits.hpp"
#include "daemon/api/run_filter.hpp"
#include "daemon/cli/limits.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/forward/forwarding.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/run_table.hpp"
#include "protocol/feed/age.hpp"
#include "protocol/feed/encode.hpp"

#include <algorithm>
#include <memory>
#include <set>
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

/// The runs of a stream, the last one first; nothing if it can't be read.
std::vector<terminal::listed_run> runs_of(const spool::kept_run& kept) {
  std::vector<terminal::listed_run> runs;
  auto stream = pipeline::kept_stream::open(kept.path);
  if (!stream) return runs;  // pruned since it was found, perhaps
  pipeline::engine rows{stream->identity()};
  pipeline::attached_parts none;
  const bool goes_on = stream->is_held();
  if (!feed_all(rows, *stream, none).empty()) return runs;
  if (!goes_on) finish(rows, *stream);
  const auto& all = rows.fold().runs();
  for (auto run = all.rbegin(); run != all.rend(); ++run) {
    terminal::listed_run listed{run->view(), kept.began, true, kept.bytes};
    if (listed.run.started_at) listed.began = *listed.run.started_at;
    runs.push_back(std::move(listed));
  }
  return runs;
}

struct listing {
  std::vector<terminal::listed_run> runs;
  std::size_t left_out = 0;  // streams
  std::size_t unread = 0;
  bool more_there = false;  // at the daemon
};

listing list_of(const std::vector<spool::kept_run>& kept, bool all) {
  listing found;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!all && found.runs.size() >= limits::listed_runs) {
      found.left_out = kept.size() - i;
      break;
    }
    bytes += kept[i].bytes;
    if (!all && bytes > limits::listed_bytes) {
      terminal::listed_run unread{{}, kept[i].began, false, kept[i].bytes};
      unread.run.id = kept[i].id;
      found.runs.push_back(std::move(unread));
      ++found.unread;
      bytes -= kept[i].bytes;  // a smaller one may still have room
      continue;
    }
    for (auto& run : runs_of(kept[i])) found.runs.push_back(std::move(run));
  }
  return found;
}

/// Those at the daemon that are not kept here, the newest first. False: it could not be asked,
/// which is said.
bool add_from_daemon(listing& found, const asked_daemon& daemon, const feed::run_query& wanted,
                     const list_arguments& given) {
  std::set<std::string> here;
  for (const auto& each : found.runs) here.insert(each.run.id);
  feed::run_query query = wanted;
  if (!given.all) query.limit = limits::listed_runs;
  do {
    const auto list = daemon.service->list(query);
    if (!list) {
      if (is_left_over(daemon, list.error())) return true;
      spool::notice(list.error().sentence);
      return false;
    }
    for (const feed::run_view& run : list->runs) {
      if (here.contains(run.id)) continue;
      terminal::listed_run listed{run, {}, true, 0};
      if (run.started_at) {
        const auto live = run.status == feed::run_status::running ? feed::run_goes_on::yes
                                                                  : feed::run_goes_on::no;
        listed.began = feed::by_our_clock(*run.started_at, run.clock_offset, live);
      }
      found.runs.push_back(std::move(listed));
    }
    query.cursor = list->next;
  } while (given.all && !query.cursor.empty());
  found.more_there = !query.cursor.empty();
  return true;
}

void filter(listing& found, const feed::run_query& wanted) {
  if (wanted.is_empty()) return;
  std::erase_if(found.runs, [&](const terminal::listed_run& each) {
    return !each.read ||
           !matches(wanted, each.run, std::chrono::floor<std::chrono::microseconds>(each.began));
  });
}

std::string rows_text(const listing& found) {
  std::string text;
  for (const auto& each : found.runs) {
    if (!each.read) continue;
    feed::encode(text, each.run, 0);
    text.push_back('\n');
  }
  return text;
}

std::string table_text(const listing& found, const list_arguments& given) {
  const auto [width, look] = look_of_stdout(given.colour);
  std::string text;
  for (const std::string& each :
       terminal::run_table(found.runs, std::chrono::system_clock::now(), width, look)) {
    text.append(each).push_back('\n');
  }
  return text;
}

void say_what_is_missing(const listing& found, const std::vector<spool::kept_run>& kept) {
  if (found.left_out > 0) {
    spool::notice("and " + std::to_string(found.left_out) + " more; --all lists them");
  } else if (found.more_there) {
    spool::notice("and more at the daemon; --all lists them");
  }
  if (found.unread > 0) {
    spool::notice(std::to_string(found.unread) +
                  " were not read because they are large; --all reads them");
  }
  const auto owed = std::count_if(kept.begin(), kept.end(), [](const spool::kept_run& run) {
    return forward::owes_upload(run.path);
  });
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
  const auto daemon = daemon_for(given.server, given.no_server, given.token_file);
  if (!daemon) return 2;
  const auto kept = spool::kept_runs(given.state_dir, spool::process_environment());
  if (!kept) {
    spool::notice(kept.error().text());
    return 2;
  }
  listing found = list_of(*kept, given.all);
  filter(found, *wanted);
  if (daemon->service && !add_from_daemon(found, *daemon, *wanted, given)) return 2;
  if (found.runs.empty()) {
    spool::notice(!wanted->is_empty()
                      ? "no run matches"
                      : "no run is stored" +
                            (given.state_dir.empty() ? std::string{} : " in " + given.state_dir) +
                            "; `tofu apply -json … | tofud` stores one");
    return 0;
  }
  std::stable_sort(found.runs.begin(), found.runs.end(),
                   [](const auto& a, const auto& b) { return a.began > b.began; });
  // Here and there may be twice as many as anybody asked for.
  if (!given.all && daemon->service && found.runs.size() > limits::listed_runs) {
    found.runs.resize(limits::listed_runs);
    found.more_there = true;
  }
  if (!files::write_all(STDOUT_FILENO, given.json ? rows_text(found) : table_text(found, given))) {
    return 1;
  }
  say_what_is_missing(found, *kept);
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
