// The text of a small file, or why there is none.
#pragma once

#include <cstddef>
#include <string>

namespace tofud::files {

struct file_text {
  std::string text;
  std::string failure;  // empty: it was read; else what is wrong with it, in words
};

/// What a regular file of at most `most` bytes holds. Never waits for the writer of a FIFO.
file_text read_regular_file(const std::string& path, std::size_t most);

}  // namespace tofud::files
