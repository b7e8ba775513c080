// Whether and how a command line can be followed: the table of docs/run.md.
#pragma once

#include "daemon/stack/tofu_command.hpp"
#include "daemon/stack/tofu_version.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::stack {

enum class channel {
  none,        // the command runs as it was given, without tofud
  json_into,   // tofu writes its stream into the spool; its terminal is its own
  json,        // tofu's stdout is the spool, tofud prints what people read
  users_json,  // the user's own -json: stdout is the spool, and copied to where it was to go
  users_file,  // the user's own -json-into=FILE, read as it grows
};

/// `plan` is followed with a plan file, whose `show` gives its text back.
struct shown_plan {
  std::string file;        // what -out says; empty: one of our own is to be made
  std::string program;     // as it calls itself: "Terraform"
  bool coloured = true;    // -no-color was not given
  bool may_prompt = true;  // for variables that have no value, though nobody answers
};

struct following {
  channel by = channel::none;
  std::string why;    // of `none`: half a sentence for "no live view: …"; empty: not worth a word
  std::string added;  // the flag to put right behind the subcommand, less its value; may be empty
  std::string file;   // of `users_file`: as the user wrote it
  bool may_ask = false;  // tofu may stop and ask for approval
  /// Text of the program that its stream replaces and that tofud can't print, as a sentence with
  /// what to do; empty: nothing is missing.
  std::string missing{};
  std::optional<shown_plan> plan{};  // nothing: the text, if it is replaced, is in the stream
};

/// What the decision needs to know but can't see in the command line; asked only if it matters.
struct surroundings {
  environment env;
  bool stdin_is_terminal = false;
  bool stdin_is_empty = false;     // /dev/null, or at its end: nobody answers
  bool shows_on_terminal = false;  // standard output or error is a terminal
  bool prints_own_view = false;    // tofud was told how to print; what people read is its own
  std::function<std::optional<tofu_version>()> version;
  /// The backend runs the command somewhere else: `remote` or `cloud` of an initialised directory.
  std::function<bool()> runs_elsewhere;
  /// Where its stream would take the place of text, the command is to keep its text.
  bool keeps_text = false;
};

/// The subcommands that print a stream under -json and are worth following.
std::span<const std::string_view> streaming_commands();
/// Whether a subcommand prints a stream under -json, and is worth following.
bool streams(std::string_view subcommand);

/// Looks at the first row that fits. When in doubt, the command runs untouched.
following follow(const tofu_command& command, const surroundings& around);

/// The command with flags right behind its subcommand.
std::vector<std::string> with_flags(const tofu_command& command,
                                    const std::vector<std::string>& flags);

}  // namespace tofud::stack
