#include "daemon/cli/manual.hpp"

#include "daemon/cli/command_tree.hpp"
#include "daemon/cli/mdoc.hpp"
#include "daemon/cli/options_manual.hpp"
#include "daemon/spool/notice.hpp"

#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace tofud::cli {
namespace {

constexpr std::string_view commands_here = "@COMMANDS@", options_here = "@OPTIONS@";

/// `--state-dir` is the flag named `-state-dir` to mdoc.
std::string flags(const described_option& option) {
  std::string out;
  for (const std::string& name : option.names) {
    out += (out.empty() ? "Fl " : " , Fl ") + name.substr(1);
  }
  if (option.value.empty()) return out;
  return out.empty() ? "Ar " + option.value : out + " Ar " + option.value;
}

void print(const described_option& option) {
  std::cout << ".It " << flags(option) << "\n" << mdoc_text(option.description);
  if (!option.variable.empty())
    std::cout << ".\nThe default is that of\n.Ev " << option.variable << " .";
  std::cout << "\n";
}

void print(const described_command& command) {
  std::cout << ".Ss tofud" << (command.path.empty() ? "" : " ") << command.path << "\n";
  if (!command.path.empty()) std::cout << mdoc_text(command.description) << ".\n";
  if (command.options.empty()) return;
  std::cout << ".Bl -tag -width Ds\n";
  for (const auto& option : command.options) print(option);
  std::cout << ".El\n";
}

int print_manual(const command& line, const std::string& path) {
  std::ifstream page{path};
  if (!page) {
    spool::notice(path + " can't be read");
    return 1;
  }
  for (std::string each; std::getline(page, each);) {
    if (each == commands_here) {
      for (const auto& command : command_tree(line)) print(command);
    } else if (each == options_here) {
      std::cout << options_manual();
    } else {
      std::cout << each << "\n";
    }
  }
  return std::cout.flush() ? 0 : 1;
}

}  // namespace

void add_manual(command& line) {
  auto path = std::make_shared<std::string>();
  command& words = line.add_command("manual", "Print a manual page");
  words.hide();
  words.add_option("TEMPLATE", *path).required();
  words.run = [path, &line] { return print_manual(line, *path); };
}

}  // namespace tofud::cli
