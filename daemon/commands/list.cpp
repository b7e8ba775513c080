#include "daemon/commands/list.hpp"

#include "daemon/commands/run_argument.hpp"
#include "daemon/commands/view_arguments.hpp"
#include "daemon/correlator/observer.hpp"
#include "daemon/forwarding.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/terminal/run_table.hpp"
#include "daemon/terminal/screen.hpp"
#include "daemon/terminal/writer.hpp"
#include "protocol/feed/encode.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::commands {
namespace {

struct list_arguments {
  std::string state_dir;
  bool json = false, all = false;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
};

/// Nobody needs to be told of what comes.
class only_the_fold : public correlator::observer {};

/// The runs of a stream, the last one first; nothing if it can't be read.
std::vector<terminal::listed_run> runs_of(const reader::kept_run& kept) {
  std::vector<terminal::listed_run> runs;
  auto stream = kept_stream::open(kept.path);
  if (!stream) return runs;  // pruned since it was found, perhaps
  only_the_fold nobody_else;
  correlator::stream_fold fold{stream->identity(), nobody_else};
  const bool goes_on = stream->file().is_held();
  const auto failure = stream->read_all([&](std::string_view bytes) { fold.feed(bytes); });
  if (!failure.empty()) return runs;
  if (!goes_on) {
    const auto said = stream->said();
    if (said.exit_status) fold.exit_status(*said.exit_status);
    fold.end();
  }
  for (auto run = fold.runs().rbegin(); run != fold.runs().rend(); ++run) {
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
};

listing list_of(const std::vector<reader::kept_run>& kept, bool all) {
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
  const bool to_terminal = ::isatty(STDOUT_FILENO) != 0;
  // A pipe takes any bytes and any width.
  const std::size_t width = to_terminal ? terminal::size_of_screen(STDOUT_FILENO).width : 0;
  const auto set = to_terminal ? terminal::charset_of(::getenv) : terminal::charset::utf8;
  const terminal::style look{colours_stdout(given.colour), set};
  std::string text;
  for (const std::string& each :
       terminal::run_table(found.runs, std::chrono::system_clock::now(), width, look)) {
    text.append(each).push_back('\n');
  }
  return text;
}

int run_list(const list_arguments& given) {
  const auto kept = reader::kept_runs(given.state_dir, reader::process_environment());
  if (!kept) {
    reader::notice(kept.error());
    return 2;
  }
  if (kept->empty()) {
    reader::notice("no run is kept" +
                   (given.state_dir.empty() ? std::string{} : " in " + given.state_dir) +
                   "; `tofu apply -json … | tofud` keeps one");
    return 0;
  }
  const listing found = list_of(*kept, given.all);
  if (!terminal::write_all(STDOUT_FILENO,
                           given.json ? rows_text(found) : table_text(found, given))) {
    return 1;
  }
  if (found.left_out > 0) {
    reader::notice("and " + std::to_string(found.left_out) + " more; --all lists them");
  }
  if (found.unread > 0) {
    reader::notice(std::to_string(found.unread) + " were not read, being large; --all reads them");
  }
  const auto owed = std::count_if(kept->begin(), kept->end(), [](const reader::kept_run& run) {
    return owes_upload(run.path);
  });
  if (owed > 0) {
    reader::notice(std::to_string(owed) + (owed == 1 ? " is" : " are") +
                   " not all at a daemon; `tofud resume --all` sends what is missing");
  }
  return 0;
}

}  // namespace

command add_list(CLI::App& line) {
  auto given = std::make_shared<list_arguments>();
  CLI::App* words = line.add_subcommand("ls", "List the runs that are kept, newest first");
  add_state_dir(*words, given->state_dir);
  words->add_flag("--json", given->json, "The feed's run rows, one a line");
  words->add_flag(
      "--all", given->all,
      "Every run, however many (default: the newest " + std::to_string(limits::listed_runs) + ")");
  add_colour_argument(*words, given->colour);
  return {words, [given] { return run_list(*given); }};
}

}  // namespace tofud::commands
