// Breaking a line of prose where OpenTofu breaks it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::text {

/// `line`, which holds no newline, with newlines in the place of the white space before words that
/// would end behind `width` characters (characters, not cells; a no-break space is part of a word).
/// A word of `width` characters or more is never cut, and white space at the end goes if it is
/// beyond the width. The rules are those of github.com/mitchellh/go-wordwrap 1.0.1, which OpenTofu
/// uses, learnt from what it prints.
std::string wrap_words(std::string_view line, std::size_t width);

}  // namespace tofud::text
