// Which OpenTofu or Terraform a command line starts.
#pragma once

#include "daemon/stack/limits.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::stack {

enum class product { opentofu, terraform };

struct tofu_version {
  product made = product::opentofu;
  int major = 0, minor = 0;
  std::string text;  // "1.12.6"

  bool at_least(int wanted_major, int wanted_minor) const {
    return major != wanted_major ? major > wanted_major : minor >= wanted_minor;
  }
  /// "OpenTofu 1.12.6"
  std::string name() const;
};

/// What `tofu version` prints, whose first line is "OpenTofu v1.12.6" or "Terraform v1.9.8"; text
/// before it (warnings of a wrapper) is passed over. Nothing if it says neither.
std::optional<tofu_version> parse_version(std::string_view printed);

/// The environment for a question that is asked beside the real command: flags that the environment
/// adds are for that one, its log would be a second one, and Terraform need not look for releases.
std::vector<std::string> quiet_environment();

/// Runs `PROGRAM [-chdir=DIR] version` and reads what it prints, for at most limits::version_wait.
/// Asked anew each time: version managers choose by directory and files. The child's standard input
/// is empty, its stderr goes nowhere; Terraform is told not to look for newer releases.
std::optional<tofu_version> ask_version(const std::string& program, const std::string& chdir);

}  // namespace tofud::stack
