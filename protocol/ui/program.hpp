// The programs whose streams these are.
#pragma once

#include <string_view>

namespace tofud::ui {

/// Whether a program of that path is OpenTofu or Terraform, by its base name.
inline bool is_tofu(std::string_view program) {
  const std::string_view base = program.substr(program.rfind('/') + 1);
  return base == "tofu" || base == "terraform";
}

}  // namespace tofud::ui
