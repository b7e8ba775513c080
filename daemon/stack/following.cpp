#include "daemon/stack/following.hpp"

#include <algorithm>
#include <array>

namespace tofud::stack {
namespace {

using namespace std::string_view_literals;

constexpr std::array streaming = {"plan"sv, "apply"sv, "destroy"sv, "refresh"sv,
                                  "test"sv, "init"sv,  "import"sv};

following untouched(std::string why) { return {channel::none, std::move(why), "", "", false, ""}; }

/// The stream takes the place of the text, which tofud prints out of it.
following in_place_of_text(std::string missing = {}) {
  return {channel::json, "", "-json", "", false, std::move(missing)};
}

bool off(const std::optional<std::string>& value) {
  return value && (*value == "0" || *value == "false");
}

// apply and destroy ask unless they are told not to; a saved plan was approved when it was made.
bool may_ask(const tofu_command& command, const environment& env) {
  const std::string_view sub = command.subcommand();
  if (sub != "apply" && sub != "destroy") return false;
  if (command.has("auto-approve")) return false;
  const bool no_input = off(env("TF_INPUT")) || (command.flag("input") && !command.has("input"));
  return !no_input && command.plan_file().empty();
}

/// Options that change nothing of how a plan's text is made; of any other one tofud does not know.
constexpr std::array of_known_text = {
    "out"sv,     "var"sv,         "var-file"sv, "target"sv,           "exclude"sv, "replace"sv,
    "destroy"sv, "refresh"sv,     "lock"sv,     "refresh-only"sv,     "input"sv,   "lock-timeout"sv,
    "state"sv,   "parallelism"sv, "no-color"sv, "detailed-exitcode"sv};

/// Versions whose plan is printed as terminal::plan_telling prints it.
bool has_known_text(const tofu_version& version) {
  const int first = version.made == product::terraform ? 5 : 6;
  return version.at_least(1, first) && !version.at_least(1, 12);
}

/// What reviewers read of a plan is not in its stream. It is given back if that can be done byte
/// for byte.
following follow_old_plan(const tofu_command& command, const surroundings& around,
                          const tofu_version& version) {
  if (around.keeps_text) return untouched("");
  const auto out = command.flag("out");
  const bool never_asks =
      off(around.env("TF_INPUT")) || (command.flag("input") && !command.has("input"));
  const bool known = has_known_text(version) && command.has_only(of_known_text) &&
                     (never_asks || around.stdin_is_empty) && !around.shows_on_terminal &&
                     !around.prints_own_view && !(out && out->value.empty());
  if (!known) {
    return untouched(version.name() +
                     " prints either the plan or its stream; for both, run `plan -json "
                     "-out=FILE | tofud`, then `show FILE`");
  }
  following way = in_place_of_text();
  way.plan = {out ? out->value : "", version.made == product::terraform ? "Terraform" : "OpenTofu",
              !command.has("no-color"), !never_asks};
  return way;
}

/// Before 1.12 and in Terraform the stream takes the place of the text, and nothing can be asked.
following follow_old(const tofu_command& command, const surroundings& around,
                     const tofu_version& version) {
  const std::string_view sub = command.subcommand();
  if (version.made == product::terraform && !version.at_least(1, 1)) {
    return untouched(version.name() +
                     " prints no stream that tofud can read (Terraform 1.1 and later do)");
  }
  if (sub == "init" && version.made == product::terraform && version.at_least(1, 9)) {
    return untouched(version.name() +
                     " prints either the text of init or its stream; for the stream, run `init "
                     "-json | tofud`");
  }
  if (sub == "init" || sub == "import") {
    return untouched(version.name() + " prints no stream for " + std::string{sub} +
                     " (OpenTofu 1.12 and later do)");
  }
  if (around.runs_elsewhere()) {
    return untouched(version.name() + " can't print the stream of a run on a remote backend");
  }
  if (sub == "plan") return follow_old_plan(command, around, version);
  if (around.keeps_text) return untouched("");
  if (sub == "apply" || sub == "destroy") {
    if (!command.plan_file().empty()) return in_place_of_text();
    if (command.has("auto-approve")) {
      return in_place_of_text(
          "what the plan changes is not printed: " + version.name() +
          " prints either text or its stream; apply a saved plan, or give --untouched");
    }
    return untouched(version.name() +
                     " can't prompt while it prints its stream; use a saved plan or -auto-approve, "
                     "or OpenTofu 1.12 or later");
  }
  // With -json a missing variable is an error, where a person would be asked for it.
  const bool asks = around.stdin_is_terminal && sub != "test" && !off(around.env("TF_INPUT")) &&
                    !(command.flag("input") && !command.has("input"));
  if (asks) {
    return untouched(version.name() +
                     " can't prompt for missing variables while it prints its stream; use "
                     "-input=false, or OpenTofu 1.12 or later");
  }
  return in_place_of_text();
}

// Since 1.12.0; what was built on the way there ("1.12.0-beta1") may not know the flag, and would
// refuse to run.
bool has_json_into(const tofu_version& version) {
  return version.made == product::opentofu && version.at_least(1, 12) &&
         !version.text.starts_with("1.12.0-");
}

}  // namespace

std::span<const std::string_view> streaming_commands() { return streaming; }

bool streams(std::string_view subcommand) {
  return std::find(streaming.begin(), streaming.end(), subcommand) != streaming.end();
}

following follow(const tofu_command& command, const surroundings& around) {
  if (command.subcommand_at == 0 || command.only_tells()) return untouched("");
  const std::string sub{command.subcommand()};
  if (!streams(sub)) return untouched("");

  if (const auto file = command.flag("json-into")) {
    if (file->value.empty()) return untouched("-json-into has no value");
    return {channel::users_file, "", "", file->value, may_ask(command, around.env), ""};
  }
  if (command.has("json")) return {channel::users_json, "", "", "", false, ""};

  // "-json=false" is as if it were not there; anything else is no flag that we understand.
  const auto hidden = [](const std::string& word) {
    return word.starts_with("-json") || word.starts_with("--json");
  };
  const bool is_off = command.flag("json").has_value();
  if (!is_off && (std::any_of(command.argv.begin(), command.argv.end(), hidden) ||
                  std::any_of(command.added.begin(), command.added.end(), hidden))) {
    return untouched("its -json option has a value that tofud does not understand");
  }
  if (!command.knows_what_is_added())
    return untouched("TF_CLI_ARGS adds an option that tofud does not know");

  const auto version = around.version();
  if (!version) return untouched("its version is unknown (`version` printed none)");
  if (has_json_into(*version)) {
    return {channel::json_into, "", "-json-into", "", may_ask(command, around.env), ""};
  }
  if (is_off) return untouched("its -json option has a value that tofud does not understand");
  return follow_old(command, around, *version);
}

std::vector<std::string> with_flags(const tofu_command& command,
                                    const std::vector<std::string>& flags) {
  std::vector<std::string> words = command.argv;
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(command.subcommand_at) + 1,
               flags.begin(), flags.end());
  return words;
}

}  // namespace tofud::stack
