// Errors and warnings on a terminal.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/text/ink.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::terminal {

/// The lines OpenTofu would draw for it at a width of 78, without their newlines and without any
/// control sequence that came from outside.
std::vector<std::string> diagnostic_lines(const feed::diagnostic_row& diagnostic,
                                          text::ink::colours colours);

/// One line: "Warning: Deprecated, with t.n, on main.tf line 4".
std::string diagnostic_in_short(const feed::diagnostic_row& diagnostic);

/// What tofud has to say to an error that people meet because they use it: lines, often none.
/// Lives as long as the program.
std::span<const std::string_view> advice(const feed::diagnostic_row& diagnostic);

}  // namespace tofud::terminal
