// What an option takes, in words: for messages and manuals.
#pragma once

#include "daemon/settings/options.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::settings {

/// "a, b or c". An empty one is "nothing".
std::string listed(const std::vector<std::string_view>& words);

/// A number, bytes or milliseconds, as that option is written.
std::string number_in_words(const option& of, std::uint64_t number);

/// How it is written in a file: "a whole number", "a time with its unit in quotes, such as "5s"".
std::string type_in_words(const option& of);

/// "from 1 to 10000", "show or hide", "absolute or auto"; empty: anything of its type.
std::string range_in_words(const option& of);

}  // namespace tofud::settings
