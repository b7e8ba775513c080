// Texts in which characters are written as something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::redact {

/// An escape: where what it stands for begins in the decoded text, and where itself in its source.
struct escape {
  std::uint32_t begin, source_begin;
  std::uint8_t size, source_size;
};

/// What a text says, and where that stands in the text: only escapes are noted.
struct decoded {
  std::string text;
  std::vector<escape> escapes;

  /// Where in the source the bytes [begin, end) of `text` stand; whole escapes only.
  std::size_t source_begin(std::size_t begin) const;
  std::size_t source_end(std::size_t end) const;
  /// Gives back the memory that a long text took.
  void release();
};

/// What a backslash before the first byte of `text` stands for, where that one letter says it.
std::optional<char> letter_escape(std::string_view text);
/// A backslash and what follows, as in JSON, Go's %q and HCL: \n \" \\ \/ \x41 \u0041 \U0001F600
/// and surrogates in two. What is no such escape stays as it is.
void unescape(std::string_view text, std::string& out, std::vector<escape>* escapes = nullptr);
/// "%41" as in URLs.
void unpercent(std::string_view text, std::string& out, std::vector<escape>* escapes = nullptr);

}  // namespace tofud::redact
