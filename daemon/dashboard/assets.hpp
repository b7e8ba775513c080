// What is served of the page, and the schema of its feed: names, types, bytes.
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
  std::string_view gzip;    // the same bytes, compressed
  bool immutable = false;   // another version would have another path
};

/// The page at `/` and the wall at `/wall`, their scripts and styles, the licences of what is in
/// the scripts, and the schema of the feed.
std::span<const asset> assets();

/// Script and style of `page` or of `wall`; those of the page, and the licences, are also for one
/// that is a file.
const asset& script(std::string_view page = "page");
const asset& style(std::string_view page = "page");
const asset& licences();

}  // namespace tofud::dashboard
