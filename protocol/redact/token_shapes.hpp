// Secrets that can be told by their looks.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace tofud::redact {

/// What a look at one place found. `hidden` is what to mask; empty: nothing. Nothing of this shape
/// begins before `seen`, so that a text is never looked at twice.
struct look {
  std::size_t begin = 0, end = 0;
  std::size_t seen = 0;
};

/// A token is looked for where one of its anchors stands: fixed text that every such token has.
struct token_shape {
  std::string_view name;
  std::string_view pattern;  // for people, and for the digest of the rules
  std::span<const std::string_view> anchors;
  look (*look_at)(std::string_view text, std::size_t begin, std::size_t end);
};

/// All of them; `tests/protocol/redact/token_shapes_test.cpp` has examples of each.
std::span<const token_shape> token_shapes();

/// Whether `text` ends in a line as the inside of a PEM block has them: 64, 70 or 76 characters of
/// base64, capitals, small letters and digits among them, or the last one, which ends in =.
/// OpenTofu passes on what a program prints line by line, so such a line stands alone, perhaps in
/// a terminal's colours. Empty: it does not.
look pem_line(std::string_view text);

}  // namespace tofud::redact
