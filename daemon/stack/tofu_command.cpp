#include "daemon/stack/tofu_command.hpp"

#include <algorithm>
#include <array>

namespace tofud::stack {
namespace {

using namespace std::string_view_literals;

// Flags that may take the next word as their value (OpenTofu's internal/command/arguments; the same
// in Terraform). Any other flag stands alone or has its value behind "=".
constexpr std::array value_flags = {
    "backend-config"sv, "backup"sv,      "config"sv,         "exclude"sv,
    "exclude-file"sv,   "filter"sv,      "from-module"sv,    "json-into"sv,
    "lock-timeout"sv,   "out"sv,         "parallelism"sv,    "plugin-dir"sv,
    "replace"sv,        "state"sv,       "state-out"sv,      "generate-config-out"sv,
    "target"sv,         "target-file"sv, "test-directory"sv, "var"sv,
    "var-file"sv,       "lockfile"sv,    "deprecation"sv,    "junit-xml"sv};

// The others of both programs: alone, or with a value behind "=".
constexpr std::array plain_flags = {"allow-deferral"sv,
                                    "allow-missing"sv,
                                    "allow-missing-config"sv,
                                    "auto-approve"sv,
                                    "backend"sv,
                                    "cloud"sv,
                                    "cloud-run"sv,
                                    "compact-warnings"sv,
                                    "concise"sv,
                                    "consolidate-errors"sv,
                                    "consolidate-warnings"sv,
                                    "destroy"sv,
                                    "detailed-exitcode"sv,
                                    "force"sv,
                                    "force-copy"sv,
                                    "get"sv,
                                    "ignore-remote-version"sv,
                                    "input"sv,
                                    "json"sv,
                                    "lock"sv,
                                    "migrate-state"sv,
                                    "no-color"sv,
                                    "no-tests"sv,
                                    "reconfigure"sv,
                                    "refresh"sv,
                                    "refresh-only"sv,
                                    "show-sensitive"sv,
                                    "suppress-forget-errors"sv,
                                    "upgrade"sv,
                                    "verbose"sv};

bool is_flag(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

/// "-x=1", "--x=1" → "x", "1".
struct split_flag {
  std::string_view name;
  std::optional<std::string_view> value;
};

split_flag split(std::string_view word) {
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

bool takes_next(const split_flag& flag) {
  return !flag.value &&
         std::find(value_flags.begin(), value_flags.end(), flag.name) != value_flags.end();
}

/// Words of a shell-like text; quotes and backslashes group, nothing is expanded.
std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (" \t\r\n"sv.find(c) != std::string_view::npos) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

/// The last of them wins, as in Go's flag package.
void find_flag(const std::vector<std::string>& words, std::size_t from, std::string_view name,
               std::optional<given_flag>& found) {
  for (std::size_t i = from; i < words.size(); ++i) {
    if (!is_flag(words[i])) continue;
    const split_flag flag = split(words[i]);
    const bool next = takes_next(flag) && i + 1 < words.size();
    if (flag.name == name) {
      found =
          given_flag{std::string{next ? std::string_view{words[i + 1]} : flag.value.value_or("")}};
    }
    if (next) ++i;
  }
}

}  // namespace

std::optional<given_flag> tofu_command::flag(std::string_view name) const {
  std::optional<given_flag> found;
  find_flag(added, 0, name, found);
  if (subcommand_at != 0) find_flag(argv, subcommand_at + 1, name, found);
  return found;
}

bool tofu_command::has(std::string_view name) const {
  const auto given = flag(name);
  if (!given) return false;
  constexpr std::array no = {"false"sv, "0"sv, "f"sv, "F"sv, "FALSE"sv, "False"sv};
  return std::find(no.begin(), no.end(), given->value) == no.end();
}

bool tofu_command::has_only(std::span<const std::string_view> flags) const {
  const auto known = [&](const std::vector<std::string>& words, std::size_t from) {
    for (std::size_t i = from; i < words.size(); ++i) {
      if (!is_flag(words[i])) return false;
      const split_flag each = split(words[i]);
      if (std::find(flags.begin(), flags.end(), each.name) == flags.end()) return false;
      if (takes_next(each)) ++i;
    }
    return true;
  };
  return known(added, 0) && known(argv, subcommand_at + 1);
}

bool tofu_command::knows_what_is_added() const {
  for (std::size_t i = 0; i < added.size(); ++i) {
    if (!is_flag(added[i])) continue;
    const split_flag each = split(added[i]);
    const auto is_each = [&](std::string_view name) { return name == each.name; };
    if (std::none_of(value_flags.begin(), value_flags.end(), is_each) &&
        std::none_of(plain_flags.begin(), plain_flags.end(), is_each))
      return false;
    if (takes_next(each)) ++i;
  }
  return true;
}

bool tofu_command::only_tells() const {
  const auto tells = [](std::string_view word) {
    return word == "-h" || word == "-help" || word == "--help" || word == "-v" ||
           word == "-version" || word == "--version";
  };
  return std::any_of(argv.begin() + 1, argv.end(), tells) ||
         std::any_of(added.begin(), added.end(), tells);
}

std::string tofu_command::plan_file() const {
  if (subcommand_at == 0 || subcommand() != "apply") return "";
  for (std::size_t i = subcommand_at + 1; i < argv.size(); ++i) {
    if (!is_flag(argv[i])) return argv[i];
    if (takes_next(split(argv[i]))) ++i;
  }
  return "";
}

tofu_command parse_command(std::vector<std::string> argv, const environment& env) {
  tofu_command command;
  command.argv = std::move(argv);
  for (std::size_t i = 1; i < command.argv.size(); ++i) {
    const std::string& word = command.argv[i];
    if (!is_flag(word)) {
      command.subcommand_at = i;
      break;
    }
    const split_flag global = split(word);
    if (global.name == "chdir" && global.value) command.chdir = *global.value;
  }
  const auto add = [&](const std::string& variable) {
    const auto text = env(variable.c_str());
    if (!text) return;
    for (std::string& word : shell_words(*text)) command.added.push_back(std::move(word));
  };
  add("TF_CLI_ARGS");
  if (command.subcommand_at != 0) add("TF_CLI_ARGS_" + std::string{command.subcommand()});
  return command;
}

}  // namespace tofud::stack
