// The files of one directory as one module.
#pragma once

#include "protocol/config/block.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::config {

struct source_file {
  std::string name;  // without its directory
  std::string text;
};

/// What somebody who can read directories has found in one.
struct source_directory {
  /// Any order; files that are no part of a module are passed over.
  std::vector<source_file> files;
  /// Of what could not be read.
  std::vector<problem> problems;
};

struct module_source {
  /// By address. One that is declared twice stands where it was declared first.
  std::map<std::string, block, std::less<>> blocks;
  std::vector<problem> problems;
};

/// `directory` is relative to the root module's, `.` for itself. A file that is broken loses what
/// stands behind the error, nothing else.
module_source read_module(std::string_view directory, const source_directory& from);

/// `name` in `directory`, as OpenTofu writes it: without `.` and with as few `..` as possible.
std::string path_in(std::string_view directory, std::string_view name);

}  // namespace tofud::config
