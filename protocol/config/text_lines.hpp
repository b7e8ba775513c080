// Where the lines of a text begin.
#pragma once

#include "protocol/config/block.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace tofud::config {

/// Asked for positions of one text, which must outlive it.
class text_lines {
 public:
  explicit text_lines(std::string_view text);
  /// Of the byte at `offset`, or of the end of the text for all that is behind it. Counts on from
  /// where it was asked before, since programs write all their JSON in one line.
  position at(std::size_t offset);

 private:
  std::string_view text_;
  std::vector<std::size_t> begins_;
  std::size_t counted_from_ = 0;  // the beginning of a line
  std::size_t counted_to_ = 0;
  std::size_t counted_ = 0;  // characters between the two
};

/// Bytes of a byte order mark in front of `text`: 3 or 0.
std::size_t byte_order_mark(std::string_view text);

}  // namespace tofud::config
