// Native syntax as a tree of blocks and arguments, their expressions as they are written.
#pragma once

#include "protocol/config/lexer.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace tofud::config {

struct native_block;

/// `name = expression`. Views into the source; of the expression without the blanks around it.
struct native_argument {
  std::string_view name, expression;
};

struct native_body {
  std::vector<native_argument> arguments;
  std::vector<native_block> blocks;
};

/// `type "label" { … }`. Views into the source; labels without their quotes, escapes as written.
struct native_block {
  std::string_view type;
  std::vector<std::string_view> labels;
  /// Of the comments directly above it, what is behind `tofud:`.
  std::vector<std::string_view> notes;
  native_body body;
};

struct native_file {
  native_body body;  // what stands before an error, the block that has it included
  struct failure {
    std::size_t offset;
    std::string_view what;  // a sentence
  };
  std::optional<failure> failed;
  /// As in `native_block::notes`, of the comments that stand above no block.
  std::vector<std::string_view> stray_notes;
};

/// Reads a file; what it returns points into `text`.
native_file read_native(std::string_view text);

}  // namespace tofud::config
