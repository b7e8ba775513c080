#include "daemon/cli/command.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <sstream>

namespace tofud::commands {

int run_one(const std::vector<command>& all, int argc, const char* const* argv) {
  CLI::App& line = *all.front().words;
  try {
    line.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int status = line.exit(error, out, err);
    std::fputs(out.str().c_str(), stdout);
    std::fputs(err.str().c_str(), stderr);
    return status == 0 ? 0 : 2;
  }
  for (const command& each : all) {
    if (each.words != &line && each.words->parsed()) return each.run();
  }
  return all.front().run();
}

}  // namespace tofud::commands
