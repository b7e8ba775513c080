// Limits of protocol/redact, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>

namespace tofud::limits {

/// Longest line read as a line. `outputs` and state dumps have no bound of their own (a recorded
/// `outputs` line has 4.3 MB); beyond this a line is counted, reported and skipped to its end.
inline constexpr std::size_t line_bytes = 64 * mib;

/// Shortest value that is looked for: "1", "true" or "prod" under a name like a secret's would tear
/// every address apart. Real passwords of five characters are guessed, not leaked.
inline constexpr std::size_t secret_bytes = 6;

/// Shortest line of a value of several lines that is looked for alone: what a program prints comes
/// line by line, and lines such as "}" or "EOF" stand in everything.
inline constexpr std::size_t secret_line_bytes = 8;

/// A file of values to mask, and what is read of a key's file. Each byte of it costs some hundreds
/// of memory as long as a stream is redacted.
inline constexpr std::size_t mask_file_bytes = 256 * kib;

/// Values of a plan that schemas call sensitive, to be hidden wherever they are printed: shorter
/// ones are words that stand in any text, and more of them make every line slow.
inline constexpr std::size_t hidden_value_bytes = 6;
inline constexpr std::size_t hidden_values = 10'000;

}  // namespace tofud::limits
