// RUN of the commands that read what was kept: an id, the beginning of one, a file, or `last`.
#pragma once

#include "daemon/correlator/stream_fold.hpp"
#include "daemon/kept_stream.hpp"
#include "daemon/terminal/colour.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is CLI11's
class App;
}

namespace tofud::commands {

struct run_argument {
  std::string run;  // empty: the newest that goes on, else the newest
  std::string state_dir;
};

enum class run_given : std::uint8_t { always, maybe };

/// Puts RUN and --state-dir into `words`; reading them fills `given`, which outlives `words`.
void add_run_argument(CLI::App& words, run_argument& given, run_given when);

void add_state_dir(CLI::App& words, std::string& state_dir);

/// Whether stdout gets colours, by the flag and the environment.
bool colours_stdout(terminal::colour_flag flag);

struct opened_run {
  reader::chosen_run chosen;
  kept_stream stream;
};

/// Finds and opens the run. Nothing if that failed, which is said on stderr: exit status 2.
std::optional<opened_run> open_run(const run_argument& given);

/// Whether the fold holds the chosen run of its stream; says on stderr if it does not.
bool holds(const correlator::stream_fold& fold, const reader::chosen_run& chosen);

}  // namespace tofud::commands
