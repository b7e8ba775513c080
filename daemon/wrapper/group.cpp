#include "daemon/wrapper/group.hpp"

#include "protocol/limits.hpp"
#include "protocol/ui/program.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <vector>

namespace tofud::wrapper {
namespace {

std::vector<std::string> argv_of(const std::filesystem::path& process) {
  std::ifstream file{process / "cmdline", std::ios::binary};
  std::string text(limits::described_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  std::vector<std::string> words;
  for (std::string_view left = text; !left.empty();) {
    const std::size_t end = std::min(left.find('\0'), left.size());
    words.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return words;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string group_of(pid_t parent, const std::filesystem::path& proc) {
  const std::string number = std::to_string(parent);
  const auto argv = argv_of(proc / number);
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

}  // namespace tofud::wrapper
