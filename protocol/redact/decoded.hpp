// Texts in which characters are written as something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::redact {

/// What a text says, and where each byte of that begins in the text; one more place for the end.
struct decoded {
  std::string text;
  std::vector<std::uint32_t> from;

  /// Where in the source the bytes [begin, end) of `text` stand; whole escapes only.
  std::size_t source_begin(std::size_t begin) const { return from[begin]; }
  std::size_t source_end(std::size_t end) const;
};

/// A backslash and what follows, as in JSON, Go's %q and HCL: \n \" \\ \/ \x41 \u0041 \U0001F600
/// and surrogates in two. What is no such escape stays as it is.
void unescape(std::string_view text, std::string& out, std::vector<std::uint32_t>* from = nullptr);
/// "%41" as in URLs.
void unpercent(std::string_view text, std::string& out, std::vector<std::uint32_t>* from = nullptr);

}  // namespace tofud::redact
