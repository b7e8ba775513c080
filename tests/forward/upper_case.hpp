// A redaction for tests: letters become capitals, and a line that begins with `long` grows.
#pragma once

#include "daemon/forward/redacted_window.hpp"

#include <cctype>
#include <memory>
#include <string>

namespace tofud::forward::tests {

inline std::string upper_case(std::string_view line) {
  std::string out = line.starts_with("long") ? "REPLACED BY SOMETHING LONGER " : "";
  for (const char c : line) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

/// The whole of it at once.
inline std::string upper_cased(std::string_view stream) {
  std::string out;
  while (!stream.empty()) {
    const std::size_t end = stream.find('\n');
    out += upper_case(stream.substr(0, end));
    if (end == std::string_view::npos) break;
    out += '\n';
    stream.remove_prefix(end + 1);
  }
  return out;
}

inline begun_redaction begin_upper_case(std::uint64_t) {
  auto held = std::make_shared<std::string>();
  return {[held](std::string_view bytes, std::string& out) {
            for (const char c : bytes) {
              if (c != '\n') {
                *held += c;
                continue;
              }
              out += upper_case(*held) + "\n";
              held->clear();
            }
          },
          [held](std::string& out) { out += upper_case(*held); }};
}

}  // namespace tofud::forward::tests
