// The only source that knows CLI11: its header costs more than all the rest of a command.
#include "daemon/cli/command.hpp"
#include "protocol/text/edit_distance.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

namespace tofud::cli {

class command_line {
 public:
  command_line(command& line, std::string_view version)
      : line_{line}, app_{line.description_, line.name_} {
    app_.set_version_flag("--version", std::string{version});
    app_.set_help_flag(std::string{help_names}, std::string{help_help});
    app_.set_help_all_flag(std::string{help_all_names}, std::string{help_all_help});
    fill(line, app_);
  }

  CLI::App& app() { return app_; }

  /// What is wrong, which command it is about, and how to see what there is.
  std::string sentence(const CLI::ParseError& error) const {
    const std::string path = path_of(named());
    const std::string unknown = unknown_word();
    return path + ": " + (unknown.empty() ? error.what() : unknown) + see_help(named());
  }

  /// What stands before a command's name and is not the command's: it would not count. Empty:
  /// nothing does.
  std::string misplaced(std::span<const char* const> words) const {
    const command& chosen = named();
    for (const command* at = &line_; at != &chosen;) {
      const command& next = below(*at);
      const auto name = std::find(words.begin(), words.end(), std::string_view{next.name_});
      const auto before = words.first(static_cast<std::size_t>(name - words.begin()));
      if (const std::string typed = typed_option(*at, before); !typed.empty()) {
        return path_of(chosen) + ": " + too_early(chosen, typed) + see_help(chosen);
      }
      words = words.subspan(std::min(words.size(), before.size() + 1));
      at = &next;
    }
    return "";
  }

  /// The command that was named; the line itself if none was.
  const command& named() const {
    const command* found = &line_;
    for (bool deeper = true; deeper;) {
      deeper = false;
      for (const command& each : found->commands_) {
        if (!apps_.at(&each)->parsed()) continue;
        found = &each;
        deeper = true;
        break;
      }
    }
    return *found;
  }

 private:
  /// The one that was named of those below.
  const command& below(const command& at) const {
    return *std::find_if(at.commands_.begin(), at.commands_.end(),
                         [&](const command& each) { return apps_.at(&each)->parsed() > 0; });
  }

  std::string see_help(const command& of) const {
    return "\nRun `" + path_of(of) + " --help` to see what there is.\n";
  }

  std::string too_early(const command& of, const std::string& name) const {
    const std::string path = path_of(of);
    return name + " stands before the command, where it does not count; " +
           (has(of, name) ? "write `" + path + " " + name + "`"
                          : "`" + path + "` has no such option");
  }

  static bool has(const command& which, const std::string& name) {
    return std::any_of(which.options_.begin(), which.options_.end(), [&](const option& each) {
      return std::find(each.names_.begin(), each.names_.end(), name) != each.names_.end();
    });
  }

  /// The first of these words that is an option of the command; empty: none is.
  static std::string typed_option(const command& of, std::span<const char* const> words) {
    for (const std::string_view word : words) {
      std::string name{word.substr(0, word.find('='))};
      if (has(of, name)) return name;
    }
    return "";
  }

  /// What is wrong with the first word that nobody takes; empty: all are taken.
  std::string unknown_word() const {
    std::vector<std::string> left = app_.remaining(true);
    std::erase(left, "--");
    if (left.empty()) return "";
    const command& at = named();
    const auto is_option = [](const std::string& each) {
      return each.size() > 1 && each.front() == '-';
    };
    const auto dashed = std::find_if(left.begin(), left.end(), is_option);
    std::string said, meant;
    if (!at.commands_.empty() && !is_option(left.front())) {
      said = "there is no command " + left.front();
      meant = nearest_command(at, left.front());
    } else if (dashed != left.end()) {
      const std::string word = dashed->substr(0, dashed->find('='));
      if (has(at, word)) return too_early(at, word);
      said = "there is no option " + word;
      meant = nearest_option(at, word);
    } else {
      said = "nothing more is expected here, but there is " + left.front();
    }
    return meant.empty() ? said : said + "; did you mean `" + meant + "`?";
  }

  /// As it is typed, such as "tofud token create".
  std::string path_of(const command& which) const {
    std::string path;
    for (const CLI::App* each = &which == &line_ ? &app_ : apps_.at(&which); each != nullptr;
         each = each->get_parent()) {
      if (!path.empty()) path.insert(0, " ");
      path.insert(0, each->get_name());
    }
    return path;
  }

  static std::string nearest_option(const command& at, std::string_view word) {
    std::vector<std::string_view> names{"--help"};
    for (const option& each : at.options_)
      names.insert(names.end(), each.names_.begin(), each.names_.end());
    return std::string{text::nearest(word, names)};
  }

  /// A command of tofud, or one of OpenTofu, which tofud runs.
  std::string nearest_command(const command& at, std::string_view word) const {
    std::vector<std::string_view> names;
    for (const command& each : at.commands_) {
      if (!each.hidden_) names.push_back(each.name_);
    }
    const std::size_t own = names.size();
    if (&at == &line_) names.insert(names.end(), line_.wrapped_.begin(), line_.wrapped_.end());
    const std::string_view found = text::nearest(word, names);
    if (found.empty()) return "";
    const auto where = std::find(names.begin(), names.end(), found) - names.begin();
    const bool is_own = static_cast<std::size_t>(where) < own;
    return is_own ? path_of(at) + " " + std::string{found}
                  : "tofud run -- tofu " + std::string{found};
  }

  void fill(command& from, CLI::App& app) {
    app.footer(from.footer_);
    // One at most: else an operand that is called as another command is taken for that.
    if (!from.commands_.empty()) app.require_subcommand(from.run ? 0 : 1, 1);
    for (option& each : from.options_) add(each, app);
    for (const option& each : from.options_) {
      for (const option* other : each.excluded_) options_.at(&each)->excludes(options_.at(other));
    }
    for (command& each : from.commands_) {
      CLI::App* below = app.add_subcommand(each.name_, each.description_);
      if (each.hidden_) below->group("");
      apps_[&each] = below;
      fill(each, *below);
    }
  }

  static CLI::Option* made(option& from, CLI::App& app) {
    const std::string& names = from.spelled_;
    const std::string& help = from.help_;
    if (auto* flag = std::get_if<bool*>(&from.into_)) return app.add_flag(names, **flag, help);
    if (auto* read = std::get_if<option::read_flag>(&from.into_)) {
      return app.add_flag_function(
          names, [read](std::int64_t count) { (*read)(count > 0); }, help);
    }
    if (auto* text = std::get_if<std::string*>(&from.into_)) {
      if (from.variable_.empty()) return app.add_option(names, **text, help);
      // CLI11 reads the environment for every command, also for those that nobody gave: several
      // may fill one text, and what was typed counts.
      return app.add_option_function<std::string>(
          names,
          [into = *text, of = &app](const std::string& given) {
            if (of->parsed() > 0) *into = given;
          },
          help);
    }
    if (auto* texts = std::get_if<std::vector<std::string>*>(&from.into_))
      return app.add_option(names, **texts, help);
    if (auto* number = std::get_if<std::uint64_t*>(&from.into_))
      return app.add_option(names, **number, help);
    if (auto* read = std::get_if<option::read_number>(&from.into_))
      return app.add_option_function<unsigned>(names, *read, help);
    if (auto* read = std::get_if<option::read_texts>(&from.into_)) {
      return app.add_option_function<std::vector<std::string>>(
          names,
          [read](const std::vector<std::string>& texts) { guarded([&] { (*read)(texts); }); },
          help);
    }
    auto* read = std::get_if<option::read_text>(&from.into_);
    return app.add_option_function<std::string>(
        names, [read](const std::string& text) { guarded([&] { (*read)(text); }); }, help);
  }

  template <class Read>
  static void guarded(Read read) {
    try {
      read();
    } catch (const usage_error& wrong) {
      throw CLI::ValidationError{wrong.what()};
    }
  }

  void add(option& from, CLI::App& app) {
    CLI::Option* added = made(from, app);
    if (from.value_is_named_) added->type_name(from.value_);
    if (!from.words_.empty()) {
      if (from.words_are_checked_) {
        added->check(CLI::IsMember(from.words_));
      } else {
        added->type_name(from.value_ + ":{" + CLI::detail::join(from.words_, ",") + "}");
      }
    }
    if (from.wrong_) added->check(from.wrong_);
    if (!from.variable_.empty()) added->envname(from.variable_);
    if (from.is_required_) added->required();
    if (from.one_each_) added->allow_extra_args(false);
    if (!from.group_.empty()) added->group(from.group_);
    options_[&from] = added;
  }

  command& line_;
  CLI::App app_;
  std::map<const option*, CLI::Option*> options_;
  std::map<const command*, CLI::App*> apps_;
};

int run_one(command& line, std::string_view version, int argc, const char* const* argv) {
  command_line parsed{line, version};
  try {
    parsed.app().parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      std::fputs(parsed.sentence(error).c_str(), stderr);
      return 2;
    }
    std::ostringstream out, err;
    parsed.app().exit(error, out, err);  // help, or the version
    std::fputs(out.str().c_str(), stdout);
    return 0;
  }
  const std::span words{argv, static_cast<std::size_t>(argc)};
  if (const std::string wrong = parsed.misplaced(words.subspan(1)); !wrong.empty()) {
    std::fputs(wrong.c_str(), stderr);
    return 2;
  }
  return parsed.named().run();
}

std::string read_words(command& line, std::vector<std::string> words) {
  command_line parsed{line, ""};
  try {
    parsed.app().parse(std::vector<std::string>{words.rbegin(), words.rend()});  // the last first
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

}  // namespace tofud::cli
