// The command line as data: what completions and the manual say of it.
#pragma once

#include "daemon/cli/command.hpp"

#include <string>
#include <vector>

namespace tofud::cli {

struct described_option {
  std::vector<std::string> names;    // with their dashes, long ones first; empty: an operand
  std::string value;                 // such as FILE; empty: a flag
  std::vector<std::string> choices;  // of the value; empty: anything
  std::string description, variable;
};

struct described_command {
  std::string path;         // words after `tofud`; empty: tofud itself
  std::string description;  // its first line
  std::vector<described_option> options;
};

/// The whole line first, then its commands and theirs, in the order in which help has them. What
/// help hides is not there.
std::vector<described_command> command_tree(const command& line);

}  // namespace tofud::cli
