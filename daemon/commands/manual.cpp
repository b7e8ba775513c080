#include "daemon/commands/manual.hpp"

#include "daemon/commands/command_tree.hpp"
#include "daemon/reader/notice.hpp"

#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace tofud::commands {
namespace {

constexpr std::string_view placeholder = "@COMMANDS@";

constexpr std::size_t line_width = 78;

/// Breaks between words, so that no line is longer than readers of the source like.
std::string wrapped(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t size = end - begin;
    if (column > 0) {
      // A sentence begins on a line of its own.
      const bool fits = column + 1 + size <= line_width && out.back() != '.';
      out.push_back(fits ? ' ' : '\n');
      column = fits ? column + 1 : 0;
      if (!fits && (text[begin] == '.' || text[begin] == '\'')) out += "\\&";
    }
    out.append(text, begin, size);
    column += size;
    begin = end + 1;
  }
  return out;
}

/// Text of lines of its own: a dot or a quote at the beginning of one is no request, a backslash
/// none either.
std::string text(std::string_view said) {
  std::string out = said.starts_with('.') || said.starts_with('\'') ? "\\&" : "";
  for (const char c : said) {
    if (c == '\n') {
      out.push_back(' ');
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out.push_back(c);
    }
  }
  return wrapped(out);
}

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
  std::cout << ".It " << flags(option) << "\n" << text(option.description) << "\n";
  if (!option.variable.empty())
    std::cout << "The default is that of\n.Ev " << option.variable << " .\n";
}

void print(const described_command& command) {
  std::cout << ".Ss tofud" << (command.path.empty() ? "" : " ") << command.path << "\n";
  if (!command.path.empty()) std::cout << text(command.description) << ".\n";
  if (command.options.empty()) return;
  std::cout << ".Bl -tag -width Ds\n";
  for (const auto& option : command.options) print(option);
  std::cout << ".El\n";
}

int print_manual(const CLI::App& line, const std::string& path) {
  std::ifstream page{path};
  if (!page) {
    reader::notice(path + " can't be read");
    return 1;
  }
  for (std::string each; std::getline(page, each);) {
    if (each != placeholder) {
      std::cout << each << "\n";
      continue;
    }
    for (const auto& command : command_tree(line)) print(command);
  }
  return std::cout.flush() ? 0 : 1;
}

}  // namespace

command add_manual(CLI::App& line) {
  auto path = std::make_shared<std::string>();
  CLI::App* words = line.add_subcommand("manual", "Print the manual page")->group("");
  words->add_option("TEMPLATE", *path)->required();
  return {words, [path, &line] { return print_manual(line, *path); }};
}

}  // namespace tofud::commands
