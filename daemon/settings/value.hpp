// The value of an option: from text, and as TOML.
#pragma once

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tofud::settings {

/// Of the C++ type that the option's member has.
using value = std::variant<bool, std::uint64_t, std::chrono::milliseconds, std::string,
                           std::vector<std::string>>;

/// What is wrong with a value, as the end of a sentence that begins with its option:
/// "is 'x'; it may be on or off".
struct wrong_value {
  std::string why;
};
[[noreturn]] void throw_exception_from_error(const wrong_value& wrong,
                                             const boost::source_location&);

/// `4096`, `64KiB`, `5 GB`: bytes, in units of 1024 each whatever their spelling.
boost::system::result<std::uint64_t, wrong_value> parse_size(std::string_view text);

/// `500ms`, `5s`, `2m`, `1h`, `7d`.
boost::system::result<std::chrono::milliseconds, wrong_value> parse_duration(std::string_view text);

/// In the largest unit that divides it, as `parse_size` and `parse_duration` read it.
std::string size_text(std::uint64_t bytes);
std::string duration_text(std::chrono::milliseconds time);

/// A TOML basic string with its quotes. Control characters are escaped, those of Unicode's second
/// block too: what is printed may be a terminal.
std::string toml_string(std::string_view text);

}  // namespace tofud::settings
