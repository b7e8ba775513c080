#include "daemon/commands/pipe.hpp"

#include "daemon/commands/view_arguments.hpp"
#include "daemon/reader/keeper.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/terminal/screen.hpp"
#include "daemon/worker.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>

namespace tofud::commands {
namespace {

/// The argument that makes a worker of this program; followed by the pipe's own arguments.
constexpr const char* worker_argument = "worker-of-the-pipe";

struct pipe_arguments {
  view_options view;
  std::string state_dir;
};

void add_arguments(CLI::App& words, pipe_arguments& given) {
  add_view_arguments(words, given.view);
  words
      .add_option("--state-dir", given.state_dir,
                  "Where the stream is kept (default: the user's state directory)")
      ->type_name("DIR");
}

int run_pipe(const pipe_arguments& given, int argc, const char* const* argv) {
  if (::isatty(STDIN_FILENO) != 0) {
    reader::notice(
        "nothing is piped in; try: tofu apply -json -auto-approve | tofud   (tofud --help)");
    return 2;
  }
  const auto mode =
      terminal::choose_progress(given.view.progress, ::isatty(STDOUT_FILENO) != 0, ::getenv);
  if (!mode) {
    reader::notice(terminal::no_terminal);
    return 2;
  }
  reader::keeper_options options;
  options.state_dir = given.state_dir;
  options.worker.argv = {argv[0], worker_argument};
  options.worker.argv.insert(options.worker.argv.end(), argv + 1, argv + argc);
  if (mode == terminal::progress_mode::tty) options.worker.erase = terminal::erasure(::getenv);
  return reader::keep(options);
}

}  // namespace

command add_pipe(CLI::App& line, int argc, const char* const* argv) {
  auto given = std::make_shared<pipe_arguments>();
  add_arguments(line, *given);
  return {&line, [given, argc, argv] { return run_pipe(*given, argc, argv); }};
}

command add_worker(CLI::App& line) {
  struct worker_arguments {
    pipe_arguments of_the_pipe;
    bool headless = false;
  };
  auto given = std::make_shared<worker_arguments>();
  CLI::App* words = line.add_subcommand(worker_argument, "")->group("");
  add_arguments(*words, given->of_the_pipe);
  words->add_flag("--headless", given->headless);
  return {words, [given] {
            const auto sort = given->headless ? worker_sort::headless : worker_sort::showing;
            return run_worker(given->of_the_pipe.view, sort);
          }};
}

bool may_be_pipe(int argc, const char* const* argv) {
  if (argc < 2) return true;
  const std::string_view first = argv[1];
  return first.starts_with('-') || first == worker_argument;
}

}  // namespace tofud::commands
