// A report of the history as people read it.
#pragma once

#include "daemon/terminal/style.hpp"
#include "protocol/history/report.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace tofud::terminal {

/// "6m2s": to the tenth below ten seconds, else whole ones.
std::string seconds_text(double seconds);

/// What is known of the entries of one address, a paragraph for each stack. Lines without newlines.
std::vector<std::string> address_history(const history::report& of,
                                         std::chrono::system_clock::time_point now,
                                         const style& look);

/// A table of at most `most` entries other than refreshes, then what takes longest. At most `width`
/// cells wide (0: as wide as it is): addresses are cut in the middle.
std::vector<std::string> history_table(const history::report& of,
                                       std::chrono::system_clock::time_point now, std::size_t most,
                                       std::size_t width, const style& look);

/// How good estimates were: a table with a line for each part of an apply's time.
std::vector<std::string> score_table(const std::vector<history::estimate_score>& of,
                                     std::size_t width, const style& look);

}  // namespace tofud::terminal
