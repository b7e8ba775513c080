// Every text that people can get to read, by folder of the sources.
#pragma once

#include <span>
#include <string_view>

namespace tofud::cli {

struct string_table {
  std::string_view folder;  // such as "daemon/cli"
  /// One text a line, sorted, as the source writes it: `\n` for the end of a line, `{}` or a gap
  /// where a value stands.
  std::string_view texts;
};

/// As `.ci/strings --write` makes them; its check in CI compares them with the sources.
std::span<const string_table> string_tables();

}  // namespace tofud::cli
