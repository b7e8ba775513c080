#include "daemon/cli/setting_flags.hpp"

#include <deque>
#include <memory>
#include <string>

namespace tofud::cli {
namespace {

using settings::option_type;

/// A flag that takes an option's value away.
struct denial {
  const char* flag;
  const char* key;
  std::vector<std::string> texts;
  const char* help;
};

const std::vector<denial>& denials() {
  static const std::vector<denial> all{
      {"--no-listen", "listen", {}, "Listen only on the Unix socket"},
      {"--no-socket", "socket", {""}, "Listen on no Unix socket"},
  };
  return all;
}

std::string help_of(const settings::option& of) {
  std::string help{of.help.substr(0, of.help.size() - 1)};
  help += " ($" + variable_of(of);
  if (settings::default_of(of) != settings::value{std::string{}})
    help += "; default " + toml_text(of, settings::default_of(of));
  return help + ")";
}

struct registered {
  settings::given_flag made;
  bool is_given = false;
};

/// The texts are taken as they are: what they mean is the same for flags, variables and files.
void add_flag(command& words, const settings::option& of, registered& into) {
  const auto take = [&into](std::vector<std::string> texts) {
    into.made.texts = std::move(texts);
    into.is_given = true;
  };
  const auto take_one = [take](const std::string& text) { take({text}); };
  if (of.type == option_type::boolean) {
    option& flag = words.read_flag(
        of.flag, [take](bool value) { take({value ? "true" : "false"}); }, help_of(of));
    if (section_of(of) == "limits") flag.group("Limits");
    return;
  }
  option& added = of.type == option_type::list
                      ? words.read_options(of.flag, take, help_of(of)).one_each()
                      : words.read_option(of.flag, take_one, help_of(of));
  added.value(std::string{of.shape});
  if (of.type == option_type::text && !of.words.empty())
    added.told_words({of.words.begin(), of.words.end()});
  if (section_of(of) == "limits") added.group("Limits");
}

}  // namespace

std::function<std::vector<settings::given_flag>()> add_setting_flags(command& words) {
  auto all = std::make_shared<std::deque<registered>>();
  for (const settings::option& each : settings::options()) {
    all->push_back({{&each, {}, std::string{each.flag}}});
    add_flag(words, each, all->back());
  }
  // After the others, so that they win.
  for (const denial& each : denials()) {
    all->push_back({{settings::find_option(each.key), each.texts, each.flag}});
    words.add_flag(each.flag, all->back().is_given, each.help);
  }
  return [all] {
    std::vector<settings::given_flag> given;
    for (const registered& each : *all) {
      if (each.is_given) given.push_back(each.made);
    }
    return given;
  };
}

}  // namespace tofud::cli
