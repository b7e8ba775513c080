#include "daemon/cli/setting_flags.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace tofud::commands {
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
      {"--no-listen", "listen", {}, "Only the Unix socket"},
      {"--no-socket", "socket", {""}, "No Unix socket"},
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

/// With its words as CLI11 writes them: help and completions read them there.
std::string shape_of(const settings::option& of) {
  std::string shape{of.shape};
  if (of.type != option_type::text || of.words.empty()) return shape;
  shape += ":{";
  for (const std::string_view word : of.words) shape.append(word).push_back(',');
  shape.back() = '}';
  return shape;
}

CLI::Option* add_flag(CLI::App& words, const settings::option& of) {
  CLI::Option* added = nullptr;
  const std::string help = help_of(of);  // CLI11 would fill one that is no constant
  if (of.type == option_type::boolean) {
    added = words.add_flag(std::string{of.flag}, help);
  } else {
    // The texts are taken as they are: what they mean is the same for flags, variables and files.
    added = words.add_option(
        std::string{of.flag}, [](const CLI::results_t&) { return true; }, help);
    added->type_name(shape_of(of));
    if (of.type == option_type::list) {
      added->type_size(1)->expected(1, CLI::detail::expected_max_vector_size);
      added->allow_extra_args(false);
    }
  }
  if (section_of(of) == "limits") added->group("Limits");
  return added;
}

}  // namespace

std::function<std::vector<settings::given_flag>()> add_setting_flags(CLI::App& words) {
  struct registered {
    settings::given_flag made;
    const CLI::Option* flag;
    bool takes_value;
  };
  auto all = std::make_shared<std::vector<registered>>();
  for (const settings::option& each : settings::options()) {
    all->push_back({{&each, {}, std::string{each.flag}}, add_flag(words, each), true});
  }
  // After the others, so that they win.
  for (const denial& each : denials()) {
    all->push_back({{settings::find_option(each.key), each.texts, each.flag},
                    words.add_flag(each.flag, std::as_const(each.help)),
                    false});
  }
  return [all] {
    std::vector<settings::given_flag> given;
    for (const registered& each : *all) {
      if (each.flag->count() == 0) continue;
      given.push_back(each.made);
      if (each.takes_value) given.back().texts = each.flag->results();
    }
    return given;
  };
}

}  // namespace tofud::commands
