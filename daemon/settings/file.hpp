// What a configuration file says.
#pragma once

#include "daemon/settings/options.hpp"
#include "daemon/settings/origin.hpp"
#include "daemon/settings/table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tofud::settings {

/// One option that a file gives.
struct assignment {
  const option* of = nullptr;
  value to;
  file_place at;
};

struct file_content {
  std::vector<assignment> assigned;  // those that are right
  std::vector<table> tables;         // those that are right
  std::vector<failure> failures;     // in the order of the file; empty: the file may be used
};

/// Reads TOML 1.0. All that is wrong is told at once: unknown keys, with what may have been meant;
/// types and values; keys that are there twice. A line that is no TOML is told, and the rest is
/// read as if it was not there where that is safe, else what stands before it. `path` is for the
/// places only. Never throws; files from anywhere do no harm.
file_content parse_file(const std::string& path, std::string_view text);

}  // namespace tofud::settings
