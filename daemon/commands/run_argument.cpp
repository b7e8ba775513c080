#include "daemon/commands/run_argument.hpp"

#include "daemon/reader/notice.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace tofud::commands {
namespace {

// Nothing if none goes on; then `last` says what there is, or what is wrong.
std::optional<reader::chosen_run> newest_that_goes_on(const std::string& state_dir) {
  const auto kept = reader::kept_runs(state_dir, reader::process_environment());
  if (!kept) return std::nullopt;
  for (const reader::kept_run& run : *kept) {
    auto file = reader::stream_file::open(run.path);
    if (file && file->is_held()) return reader::chosen_run{run.path, ""};
  }
  return std::nullopt;
}

}  // namespace

void add_state_dir(CLI::App& words, std::string& state_dir) {
  words
      .add_option("--state-dir", state_dir,
                  "Where streams are kept (default: the user's state directory)")
      ->type_name("DIR")
      ->envname("TOFUD_STATE_DIR");
}

void add_run_argument(CLI::App& words, run_argument& given, run_given when) {
  CLI::Option* run = words.add_option(
      "RUN", given.run,
      when == run_given::always
          ? "Run id, the beginning of one, a stream's file, or last"
          : "Run id, the beginning of one, a stream's file, or last (default: the newest that "
            "goes on, else the newest)");
  if (when == run_given::always) run->required();
  add_state_dir(words, given.state_dir);
}

bool colours_stdout(terminal::colour_flag flag) {
  return terminal::wants_colour(flag, ::isatty(STDOUT_FILENO) != 0, ::getenv);
}

std::optional<opened_run> open_run(const run_argument& given) {
  if (given.run.empty()) {
    if (const auto going = newest_that_goes_on(given.state_dir)) {
      if (auto stream = kept_stream::open(going->path)) {
        return opened_run{*going, std::move(*stream)};
      }
    }
  }
  const auto chosen = reader::choose_run(given.run.empty() ? "last" : given.run, given.state_dir,
                                         reader::process_environment());
  if (!chosen) {
    reader::notice(chosen.error());
    return std::nullopt;
  }
  auto stream = kept_stream::open(chosen->path);
  if (!stream) {
    reader::notice(stream.error());
    return std::nullopt;
  }
  return opened_run{*chosen, std::move(*stream)};
}

bool holds(const correlator::stream_fold& fold, const reader::chosen_run& chosen) {
  const auto& runs = fold.runs();
  if (chosen.only.empty() ||
      std::any_of(runs.begin(), runs.end(),
                  [&](const correlator::run_state& run) { return run.id() == chosen.only; })) {
    return true;
  }
  reader::notice("there is no run " + chosen.only + ": that stream has " +
                 std::to_string(runs.size()) + (runs.size() == 1 ? " run" : " runs"));
  return false;
}

}  // namespace tofud::commands
