// A program that is started with a text on its standard input.
#pragma once

#include "protocol/text/failure.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace tofud::notify {

/// Waits until it is over, or kills it with all that it started. What it prints goes nowhere; its
/// environment is PATH, LANG and `variables`. Empty: it ended with status 0. Not for the loop.
text::failure run_command(const std::vector<std::string>& argv, const std::string& input,
                          const std::vector<std::string>& variables, std::chrono::seconds at_most);

}  // namespace tofud::notify
