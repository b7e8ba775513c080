// The files of dist/ as they are in the program; the source is generated.
#pragma once

#include <span>
#include <string_view>

namespace tofud::dashboard {

struct embedded_file {
  std::string_view name, bytes;
  std::string_view gzip;    // the bytes, compressed
  std::string_view sha256;  // 64 hexadecimal digits
};

std::span<const embedded_file> embedded();

}  // namespace tofud::dashboard
