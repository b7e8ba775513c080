// What is served of the page: names, types, bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tofud::dashboard {

/// Lives as long as the program.
struct asset {
  std::string path;  // of the URL; script and style have their hash in it
  std::string_view content_type;
  std::string_view bytes;   // UTF-8
  std::string_view sha256;  // 64 hexadecimal digits
  std::string gzip;         // the same bytes, compressed
  bool immutable = false;   // another version would have another path
};

/// The page at `/`, its script and style, the licences of what is in the script. Compressed when
/// first asked for, some milliseconds.
std::span<const asset> assets();

/// Script, style and licences for a page that is one file.
const asset& script();
const asset& style();
const asset& licences();

}  // namespace tofud::dashboard
