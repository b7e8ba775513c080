#pragma once

#include <cstddef>

namespace tofud::faults {

/// Offsets into a text; the end is exclusive.
struct byte_range {
  std::size_t begin = 0, end = 0;

  bool operator==(const byte_range&) const = default;
};

}  // namespace tofud::faults
