// A command line of OpenTofu or Terraform, as far as tofud has to understand it.
#pragma once

#include "daemon/stack/environment.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::stack {

/// What a flag of Go's `flag` package was given: `-x`, `--x`, `-x=VALUE`, `-x VALUE`.
struct given_flag {
  std::string value;  // empty: none was given
};

/// `tofu [GLOBAL…] SUBCOMMAND [FLAG…] [ARGUMENT…]`, and the words that TF_CLI_ARGS adds behind the
/// subcommand.
struct tofu_command {
  std::vector<std::string> argv;
  std::size_t subcommand_at = 0;   // in argv; 0: there is none
  std::string chdir;               // of the last -chdir=; empty: none
  std::vector<std::string> added;  // TF_CLI_ARGS, TF_CLI_ARGS_subcommand; cut at blanks and quotes

  std::string_view subcommand() const {
    return subcommand_at == 0 ? std::string_view{} : std::string_view{argv[subcommand_at]};
  }
  /// The last value of a flag behind the subcommand, in argv or in what the environment adds.
  std::optional<given_flag> flag(std::string_view name) const;
  /// A flag without a value, or with a true one.
  bool has(std::string_view name) const;
  /// Whether behind the subcommand, in argv or in what the environment adds, stands nothing but
  /// these flags and their values.
  bool has_only(std::span<const std::string_view> flags) const;
  /// Whether every flag that the environment adds is one of OpenTofu or Terraform. After one that
  /// is not, their parser takes each word for an argument.
  bool knows_what_is_added() const;
  /// Whether somebody asks for help, or for the version: nothing runs.
  bool only_tells() const;
  /// Of `apply`: a saved plan, the first word that is no flag. Flags that take their value as a
  /// word of its own (`-var a=b`) are known. Empty: none.
  std::string plan_file() const;
};

/// `argv` has the program at least. Quotes in TF_CLI_ARGS are understood as a shell's, for finding
/// flags; OpenTofu reads the variable itself.
tofu_command parse_command(std::vector<std::string> argv, const environment& env);

}  // namespace tofud::stack
