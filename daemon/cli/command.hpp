// A word of the command line, as in `tofud replay FILE`.
#pragma once

#include <functional>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is CLI11's
class App;
}

namespace tofud::commands {

/// Made by an `add_…` function, which put its arguments into the command line.
struct command {
  CLI::App* words;           // where its arguments are
  std::function<int()> run;  // once they are read; returns the exit status
};

/// Reads the arguments and runs the command they name, else the first of `all`, which has the
/// arguments of the whole line. Help and the version go to stdout, status 0; a usage error to
/// stderr, status 2.
int run_one(const std::vector<command>& all, int argc, const char* const* argv);

}  // namespace tofud::commands
