#pragma once

#include <cstddef>

namespace tofud::diagnostics {

/// Offsets into a text; the end is exclusive.
struct byte_range {
  std::size_t begin = 0, end = 0;

  bool operator==(const byte_range&) const = default;
};

}  // namespace tofud::diagnostics
