// Programs by their names: those whose streams these are, and shells that start them.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tofud::ui {

/// Whether a program of that path is OpenTofu or Terraform, by its base name.
inline bool is_tofu(std::string_view program) {
  const std::string_view base = program.substr(program.rfind('/') + 1);
  return base == "tofu" || base == "terraform";
}

/// Whether it is a shell, as a command or of a login ("-bash").
inline bool is_shell(std::string_view program) {
  constexpr std::array<std::string_view, 10> shells = {"sh",  "bash", "dash", "zsh",     "ksh",
                                                       "ash", "mksh", "fish", "busybox", "rbash"};
  std::string_view base = program.substr(program.rfind('/') + 1);
  if (base.starts_with('-')) base.remove_prefix(1);
  return std::find(shells.begin(), shells.end(), base) != shells.end();
}

}  // namespace tofud::ui
