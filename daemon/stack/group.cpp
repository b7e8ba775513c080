#include "daemon/stack/group.hpp"

#include "daemon/stack/process.hpp"
#include "protocol/ui/program.hpp"

#include <algorithm>

namespace tofud::stack {
namespace {

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

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
    name = command_line ? "sh" : base_name(*word);
  }
  return name + "-" + number;
}

}  // namespace tofud::stack
