// Where a value was said, and what is wrong at a place.
#pragma once

#include <cstdint>
#include <string>

namespace tofud::settings {

/// A place in a file; line and column from 1, the column in characters.
struct file_place {
  std::string path;
  std::uint32_t line = 0, column = 0;
  bool operator==(const file_place&) const = default;
};

inline std::string to_string(const file_place& at) {
  return at.path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

/// As people read it: "default", "--listen", "TOFUD_LISTEN", "/etc/tofud/tofud.toml:3:1".
struct origin {
  std::string text = "default";
  bool operator==(const origin&) const = default;
};

/// Where something is wrong, and a sentence about it.
struct failure {
  std::string where;  // as an origin's text; empty: `what` says it
  std::string what;
  bool operator==(const failure&) const = default;
};

inline std::string to_string(const failure& wrong) {
  return wrong.where.empty() ? wrong.what : wrong.where + ": " + wrong.what;
}

}  // namespace tofud::settings
