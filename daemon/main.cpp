// tofud: the table of contents.
#include "daemon/options.hpp"
#include "daemon/reader/keeper.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/replay.hpp"
#include "daemon/worker.hpp"

#include <cstdio>
#include <string>
#include <unistd.h>

namespace {

int run_pipe(const tofud::pipe_command& command, int argc, char** argv) {
  if (::isatty(STDIN_FILENO) != 0) {
    tofud::reader::notice(
        "nothing is piped in; try: tofu apply -json -auto-approve | tofud   (tofud --help)");
    return 2;
  }
  tofud::reader::keeper_options options;
  options.state_dir = command.view.state_dir;
  options.worker.argv = {argv[0], tofud::worker_argument};
  options.worker.argv.insert(options.worker.argv.end(), argv + 1, argv + argc);
  return tofud::reader::keep(options);
}

int leave(const tofud::leave& words) {
  std::fputs(words.out.c_str(), stdout);
  std::fputs(words.err.c_str(), stderr);
  return words.status;
}

template <typename... Visitors>
struct overload : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
overload(Visitors...) -> overload<Visitors...>;  // clang 14 does not deduce it for an aggregate

}  // namespace

// An exception that nobody expected ends a worker, and the keeper starts the next.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
  if (tofud::may_be_pipe(argc, argv)) tofud::reader::ignore_signals();
  const tofud::any_command command = tofud::parse_command(argc, argv);
  return std::visit(
      overload{
          [&](const tofud::pipe_command& pipe) { return run_pipe(pipe, argc, argv); },
          [](const tofud::worker_command& worker) { return tofud::run_worker(worker); },
          [](const tofud::replay_command& replay) { return tofud::run_replay(replay); },
          [](const tofud::leave& words) { return leave(words); },
      },
      command);
}
