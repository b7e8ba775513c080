// A diagnostic drawn as OpenTofu 1.12 draws it for people.
#pragma once

#include "protocol/diagnostics/limits.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/json/document.hpp"
#include "protocol/text/ink.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tofud::diagnostics {

/// Makes a piece of text from outside fit for where it goes, such as a terminal.
using text_filter = std::function<std::string(std::string_view)>;

/// What becomes of lines of limits::drawn_line_bytes and more: OpenTofu ends its drawing before the
/// first one. For people who have nothing else they are shortened, with the number of bytes left
/// out.
enum class long_lines : bool { end_the_drawing, shorten };

/// The rule at the left, with its corners. OpenTofu and Terraform leave it out under -no-color.
enum class framing : bool { none, rule };

struct diagnostic_drawing {
  text::ink::colours colours = text::ink::colours::no;
  diagnostics::framing framing = diagnostics::framing::rule;
  /// Characters of a line of the detail, the rule at the left included; 0: no wrapping. Nothing
  /// else is wrapped.
  std::size_t width = 78;
  /// Applied to each piece of text from outside; empty: the pieces stay as OpenTofu leaves them,
  /// which makes pictures of most control characters, but not in addresses, context and values.
  text_filter filter = {};
  diagnostics::long_lines long_lines = long_lines::end_the_drawing;
};

/// The lines OpenTofu prints, each with its newline: the rule at the left, summary, place, source
/// with the fault underlined (in colour), values, detail. What OpenTofu does not have: a block of a
/// generated file without line numbers and with a line of carets, and behind the detail what
/// schemas know of the attribute. `difference` is the member of that name of OpenTofu's message,
/// which rows never hold; empty: none.
std::string draw(const feed::diagnostic_row& diagnostic, const diagnostic_drawing& wanted,
                 json::value difference = {});

/// What a diagnostic is about, in one line: the first of its summary, else of its detail. A view
/// into it, control characters and all.
std::string_view headline(const feed::diagnostic_row& diagnostic);

}  // namespace tofud::diagnostics
