// The only source that knows CLI11: its header costs more than all the rest of a command.
#include "daemon/cli/command.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>
#include <memory>
#include <sstream>

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
  void fill(command& from, CLI::App& app) {
    app.footer(from.footer_);
    if (!from.run && !from.commands_.empty()) app.require_subcommand(1);
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
    if (auto* text = std::get_if<std::string*>(&from.into_))
      return app.add_option(names, **text, help);
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
    std::ostringstream out, err;
    const int status = parsed.app().exit(error, out, err);
    std::fputs(out.str().c_str(), stdout);
    std::fputs(err.str().c_str(), stderr);
    return status == 0 ? 0 : 2;
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
