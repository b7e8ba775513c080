#include "daemon/cli/completion.hpp"

#include "daemon/cli/command_tree.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::cli {
namespace {

using tree = std::vector<described_command>;

/// In single quotes for every shell of the three; no description needs one inside.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c != '\'') {
      out.push_back(c);
      continue;
    }
    out += "\\'";  // fish, and zsh's _arguments; bash gets no descriptions
  }
  return out + "'";
}

std::string without_quotes(std::string text) {
  std::erase(text, '\'');
  return text;
}

/// The last word of a path, if it is a command right below `under`.
std::string word_below(const std::string& path, const std::string& under) {
  if (path.empty()) return "";
  const auto cut = path.rfind(' ');
  const std::string above = cut == std::string::npos ? "" : path.substr(0, cut);
  if (above != under) return "";
  return cut == std::string::npos ? path : path.substr(cut + 1);
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out.append(out.empty() ? "" : between).append(word);
  return out;
}

/// 'run'|'serve'|'token create'
std::string paths(const tree& all) {
  std::vector<std::string> each;
  for (const auto& command : all) {
    if (!command.path.empty()) each.push_back(in_quotes(command.path));
  }
  return joined(each, "|");
}

/// How bash and zsh find out which command the words before the cursor name.
std::string find_command(const tree& all, std::string_view words) {
  return "  local at= word\n  for word in " + std::string{words} +
         "; do\n    [[ $word != -- ]] || return 0\n    case \"${at:+$at }$word\" in " + paths(all) +
         ") at=\"${at:+$at }$word\" ;; esac\n  done\n";
}

std::string bash(const tree& all) {
  std::string out = "# bash completion of tofud, made by `tofud completion bash`.\n\n_tofud() {\n";
  out += "  local word_now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n";
  out += "  COMPREPLY=()\n";
  out += find_command(all, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"");
  out += "  case \"$at $before\" in\n";
  for (const auto& command : all) {
    for (const auto& option : command.options) {
      if (option.names.empty() || option.value.empty()) continue;
      std::vector<std::string> cases;
      for (const auto& name : option.names) cases.push_back(in_quotes(command.path + " " + name));
      out += "    " + joined(cases, "|") + ")\n";
      if (!option.choices.empty()) {
        out += "      mapfile -t COMPREPLY < <(compgen -W " +
               in_quotes(joined(option.choices, " ")) + " -- \"$word_now\")\n";
      }
      out += "      return 0 ;;\n";
    }
  }
  out += "  esac\n  case $at in\n";
  for (const auto& command : all) {
    std::vector<std::string> words;
    for (const auto& other : all) {
      if (auto word = word_below(other.path, command.path); !word.empty()) words.push_back(word);
    }
    for (const auto& option : command.options) {
      words.insert(words.end(), option.names.begin(), option.names.end());
    }
    out += "    " + in_quotes(command.path) + ") words=" + in_quotes(joined(words, " ")) + " ;;\n";
  }
  out +=
      "  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word_now\")\n  return "
      "0\n}\n\n";
  return out + "complete -o default -F _tofud tofud\n";
}

/// A description inside of _arguments' brackets.
std::string bracketed(const std::string& text) {
  std::string out;
  for (const char c : without_quotes(text)) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return "[" + out + "]";
}

std::string zsh_value(const described_option& option) {
  if (option.value.empty()) return "";
  const bool directory = option.value == "DIR";
  std::string values = option.choices.empty() ? (directory ? "_files -/" : "_files")
                                              : "(" + joined(option.choices, " ") + ")";
  std::string name;
  for (const char c : option.value) {
    if (c == ':' || c == '[' || c == ']') name.push_back('\\');
    name.push_back(c);
  }
  return ":" + name + ":" + values;
}

std::string zsh(const tree& all) {
  std::string out =
      "#compdef tofud\n# zsh completion of tofud, made by `tofud completion zsh`.\n\n_tofud() {\n";
  out += find_command(all, "\"${(@)words[2,CURRENT-1]}\"");
  out += "  local -a below\n  case $at in\n";
  for (const auto& command : all) {
    out += "    " + (command.path.empty() ? std::string{"''"} : in_quotes(command.path)) +
           ")\n      below=(";
    for (const auto& other : all) {
      const auto word = word_below(other.path, command.path);
      if (!word.empty())
        out += "\n        " + in_quotes(word + ":" + without_quotes(other.description));
    }
    out +=
        ")\n      [[ ${#below} -eq 0 || $PREFIX == -* ]] || _describe command below\n      "
        "_arguments -s \\\n";
    for (const auto& option : command.options) {
      for (const auto& name : option.names) {
        out += "        " + in_quotes(name + bracketed(option.description) + zsh_value(option)) +
               " \\\n";
      }
    }
    out += "        '*:file:_files' ;;\n";
  }
  return out + "  esac\n}\n\ncompdef _tofud tofud\n";
}

std::string fish_option(const std::string& at, const described_option& option) {
  std::string line = "complete -c tofud -n " + in_quotes("__tofud_at " + at);
  for (const auto& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) line += option.choices.empty() ? " -r" : " -x";
  if (!option.choices.empty()) line += " -a " + in_quotes(joined(option.choices, " "));
  return line + " -d " + in_quotes(option.description) + "\n";
}

std::string fish(const tree& all) {
  std::string out = "# fish completion of tofud, made by `tofud completion fish`.\n\n";
  out +=
      "function __tofud_at\n  set -l at\n  for word in (commandline -opc)[2..]\n"
      "    set -l next (string join -- ' ' $at $word)\n    switch $next\n      case";
  for (const auto& command : all) {
    if (!command.path.empty()) out += " " + in_quotes(command.path);
  }
  out += "\n        set -a at $word\n    end\n  end\n  test \"$argv\" = \"$at\"\nend\n\n";
  for (const auto& command : all) {
    for (const auto& other : all) {
      const auto word = word_below(other.path, command.path);
      if (word.empty()) continue;
      out += "complete -c tofud -n " + in_quotes("__tofud_at " + command.path) + " -a " +
             in_quotes(word) + " -d " + in_quotes(other.description) + "\n";
    }
    for (const auto& option : command.options) {
      if (!option.names.empty()) out += fish_option(command.path, option);
    }
  }
  return out;
}

}  // namespace

void add_completion(command& line) {
  auto shell = std::make_shared<std::string>();
  command& words = line.add_command("completion", "Print the completion script for a shell");
  words.add_option("SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  words.run = [shell, &line] {
    const tree all = command_tree(line);
    const std::string script = *shell == "bash"  ? bash(all)
                               : *shell == "zsh" ? zsh(all)
                                                 : fish(all);
    return std::fwrite(script.data(), 1, script.size(), stdout) == script.size() ? 0 : 1;
  };
}

}  // namespace tofud::cli
