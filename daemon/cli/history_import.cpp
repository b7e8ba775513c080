#include "daemon/cli/history_import.hpp"

#include "daemon/cli/limits.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/history/machine_history.hpp"
#include "daemon/history/operations_of_run.hpp"
#include "daemon/pipeline/kept_stream.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/run_id.hpp"
#include "daemon/spool/spool_place.hpp"
#include "protocol/ui/timestamp.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

namespace fs = std::filesystem;

struct import_arguments {
  std::vector<std::string> paths;
  std::string stack, state_dir;
};

struct import_counts {
  std::size_t runs = 0, operations = 0, known = 0, failed = 0;
};

/// The streams of a path, by name; nothing if it can't be read, which is said.
std::optional<std::vector<std::string>> streams_in(const std::string& path) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return std::vector<std::string>{path};
  std::vector<std::string> found;
  for (fs::directory_iterator each{path, failed}, end; !failed && each != end;
       each.increment(failed)) {
    if (each->path().extension() == ".jsonl" && each->is_regular_file())
      found.push_back(each->path().string());
    if (found.size() > limits::imported_streams) {
      spool::notice(path + " has more than " + std::to_string(limits::imported_streams) +
                    " streams; import them in parts");
      return std::nullopt;
    }
  }
  if (failed) {
    spool::notice("can't read " + path + ": " + failed.message());
    return std::nullopt;
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// What a stream is remembered by: its run's id, or if nobody gave it one, its file's name and when
/// it began, so that it is the same whenever it is read.
std::string name_of(const correlator::run_state& first) {
  const feed::run_view view = first.view();
  if (spool::is_run_id(view.id)) return view.id;
  std::string name = view.id + "@";
  if (view.started_at) ui::append_timestamp(name, *view.started_at);
  return name;
}

/// False: it can't be read, which is said.
bool import_stream(history::machine_history& into, const std::string& path,
                   const import_arguments& given, import_counts& counts) {
  auto stream = pipeline::kept_stream::open(path);
  if (!stream) {
    spool::notice(stream.error().text());
    return false;
  }
  if (stream->is_held()) {
    spool::notice(path + " is still being written; it is remembered when its run is over");
    return true;
  }
  correlator::run_identity identity = stream->identity();
  if (!given.stack.empty()) identity.stack = given.stack;
  auto parts = parts_beside(*stream);
  pipeline::engine rows{std::move(identity), parts.reader()};
  if (const auto failure = feed_all(rows, *stream, parts); !failure.empty()) {
    spool::notice(failure.text());
    return false;
  }
  finish(rows, *stream);
  const std::string name = name_of(rows.fold().runs().front());
  const auto known = into.knows(name);
  if (!known) {
    spool::notice(known.error().text());
    return false;
  }
  if (*known) {
    ++counts.known;
    return true;
  }
  std::vector<history::run_operations> did;
  for (const correlator::run_state& run : rows.fold().runs()) {
    if (!run.had_message()) continue;
    did.push_back({history::run_to_remember(run), history::all_operations_of(run)});
    counts.operations += did.back().operations.size();
  }
  if (did.empty()) {
    spool::notice(path + " is no stream of OpenTofu's -json messages");
    return false;
  }
  if (did.front().run.stack.empty()) {
    spool::notice(path + " does not say which stack it is of; --stack names it");
  }
  if (const auto failure = into.put(name, did); !failure.empty()) {
    spool::notice(failure.text());
    return false;
  }
  counts.runs += did.size();
  return true;
}

std::optional<history::machine_history> open_history(const std::string& state_dir) {
  std::string refusal = "no directory for it was found";
  for (const auto& place : spool::place_candidates(state_dir, spool::process_environment())) {
    const auto entered = spool::enter_place(place);
    if (!entered.place) {
      refusal = place.directory + " " + entered.refusal;
      continue;
    }
    auto opened = history::machine_history::open(entered.place->directory);
    if (opened) return std::move(*opened);
    refusal = opened.error().text();
  }
  spool::notice("the history can't be written: " + refusal);
  return std::nullopt;
}

int run_import(const import_arguments& given) {
  auto into = open_history(given.state_dir);
  if (!into) return 2;
  import_counts counts;
  for (const std::string& path : given.paths) {
    const auto streams = streams_in(path);
    if (!streams) {
      ++counts.failed;
      continue;
    }
    for (const std::string& each : *streams) {
      if (!import_stream(*into, each, given, counts)) ++counts.failed;
    }
  }
  const auto counted = [](std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
  };
  std::string sentence = "imported " + counted(counts.operations, "operation", "operations") +
                         " of " + counted(counts.runs, "run", "runs");
  if (counts.known > 0)
    sentence += "; " + counted(counts.known, "stream was", "streams were") + " known";
  if (counts.failed > 0)
    sentence += "; " + counted(counts.failed, "path", "paths") + " could not be read";
  if (!files::write_all(STDOUT_FILENO, sentence + "\n")) return 1;
  return counts.failed > 0 ? 1 : 0;
}

}  // namespace

void add_history_import(command& words) {
  auto given = std::make_shared<import_arguments>();
  command& import = words.add_command(
      "import", "Remember the durations in stored streams; a stream that is known is skipped");
  import.add_option("FILE|DIR", given->paths, "A stream, or a directory of NAME.jsonl files")
      .required();
  import
      .add_option("--stack", given->stack,
                  "The stack of all of them (default: what stands beside each stream)")
      .value("STACK");
  add_state_dir(import, given->state_dir);
  import.run = [given] { return run_import(*given);
};
}  // namespace tofud::cli

}  // namespace tofud::cli
