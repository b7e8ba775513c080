#include "daemon/cli/manual.hpp"

#include "daemon/cli/command_tree.hpp"
#include "daemon/cli/mdoc.hpp"
#include "daemon/cli/options_manual.hpp"
#include "daemon/cli/reference.hpp"
#include "daemon/cli/strings.hpp"
#include "daemon/spool/notice.hpp"

#include <cstddef>
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

int print_strings() {
  std::size_t count = 0;
  for (const string_table& table : string_tables()) {
    for (std::string_view left = table.texts; !left.empty(); ++count) {
      const auto size = left.find('\n');
      std::cout << table.folder << '\t' << left.substr(0, size) << '\n';
      left.remove_prefix(size + 1);
    }
  }
  if (!std::cout.flush()) return 1;
  spool::notice(std::to_string(count) + " texts");
  return 0;
}

}  // namespace

void add_manual(command& line) {
  struct arguments {
    std::string path;
    bool strings = false, reference = false;
  };
  auto given = std::make_shared<arguments>();
  command& words = line.add_command("manual", "Print a manual page");
  words.hide();
  words.add_option("TEMPLATE", given->path);
  words.add_flag("--strings", given->strings, "Print every text of the program, by folder");
  words.add_flag("--reference", given->reference, "Print docs/reference.md");
  words.run = [given, &line] {
    if (given->reference) {
      std::cout << reference(line);
      return std::cout.flush() ? 0 : 1;
    }
    if (given->strings) return print_strings();
    if (!given->path.empty()) return print_manual(line, given->path);
    spool::notice("name a template, or give --reference or --strings");
    return 2;
  };
}

}  // namespace tofud::cli
