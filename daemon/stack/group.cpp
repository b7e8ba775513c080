#include "daemon/stack/group.hpp"

#include "daemon/stack/process.hpp"
#include "protocol/ui/program.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace tofud::stack {
namespace {

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Programs that run each command of theirs by `sh -c`, and end with their work. A service that
/// does so (cron, an agent of a CI system) would join what has nothing in common.
bool runs_command_lines(std::string_view name) {
  constexpr std::array<std::string_view, 9> programs = {
      "make", "gmake", "xargs", "parallel", "ninja", "just", "task", "rake", "npm"};
  return std::find(programs.begin(), programs.end(), name) != programs.end();
}

/// Of /proc/PID/stat, whose second field may hold anything; 0: it can't be read.
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream file{process / "stat"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return 0;
  std::istringstream rest{text.substr(end + 1)};
  std::string state;
  pid_t parent = 0;
  return rest >> state >> parent ? parent : 0;
}

}  // namespace

std::string group_of(pid_t parent, const std::filesystem::path& proc) {
  const std::string number = std::to_string(parent);
  const auto argv = words_of(proc / number / "cmdline");
  if (argv.empty()) return "";
  std::string name = base_name(argv.front());
  if (ui::is_shell(argv.front())) {
    // The first word that is no flag is a script; with -c it is a command line, and the shell's
    // name has to do.
    const auto word = std::find_if(argv.begin() + 1, argv.end(),
                                   [](const std::string& each) { return !each.starts_with('-'); });
    if (word == argv.end()) return "";  // somebody types into it
    const bool command_line = std::find(argv.begin() + 1, word, "-c") != word;
    if (command_line) {
      const std::string above = std::to_string(parent_of(proc / number));
      const auto starter = words_of(proc / above / "cmdline");
      if (!starter.empty() && runs_command_lines(base_name(starter.front())))
        return base_name(starter.front()) + "-" + above;
    }
    name = command_line ? "sh" : base_name(*word);
  }
  return name + "-" + number;
}

}  // namespace tofud::stack
