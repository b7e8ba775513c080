// The keeper as a program, for its tests.
//
//     stub_keeper DIRECTORY STALL_MS CAP_BYTES WORKER [ARGUMENT…]
//
// DIRECTORY is the place for spools; "none" for memory.

#include "daemon/keeper/keeper.hpp"

#include <string>
#include <vector>

int main(int argc, char** argv) {
  using namespace tofud::keeper;
  ignore_signals();
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() < 5) return 2;
  keeper_options options;
  if (words[1] != "none") options.state_dir = words[1];
  options.env = [](const char* name) -> std::optional<std::string> {
    if (std::string{name} != "TMPDIR") return std::nullopt;
    return "/dev/null";  // takes no directory
  };
  options.worker.stall = std::chrono::milliseconds{std::stol(words[2])};
  options.caps.bytes = std::stoull(words[3]);
  options.caps.free_bytes = 0;
  options.worker.executable = words[4];
  options.worker.argv.assign(words.begin() + 4, words.end());
  return keep(options);
}
