// The one table of options of `tofud serve`: flags, variables, files and their documentation all
// come from it.
#pragma once

#include "daemon/settings/settings.hpp"
#include "daemon/settings/value.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tofud::settings {

enum class option_type : std::uint8_t { text, list, count, size, duration, boolean, path };

enum class takes_effect : std::uint8_t {
  on_reload,   // SIGHUP is enough
  on_restart,  // only a daemon that is started again has it
};

/// Where an option's value lives in `settings`.
using option_home =
    std::variant<bool& (*)(settings&), std::uint64_t& (*)(settings&),
                 std::chrono::milliseconds& (*)(settings&), std::string& (*)(settings&),
                 std::vector<std::string>& (*)(settings&)>;

struct option {
  std::string_view key = {};   // in a file, such as "retain.days"
  std::string_view flag = {};  // such as "--retain-days"
  option_type type = option_type::text;
  option_home home = static_cast<bool& (*)(settings&)>(nullptr);
  std::string_view shape = {};  // what stands for the value in a help text, such as "ADDR:PORT"
  std::string_view help = {};   // one sentence
  takes_effect effect = takes_effect::on_restart;
  /// Of a text: the values it may have. Of a path: what it may be instead of one; "" is none.
  std::vector<std::string_view> words = {};
  /// Of a number, of the milliseconds of a duration, of the length of a list.
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  /// Of a text and of each value of a list; see checks.hpp.
  std::string (*check)(const std::string&) = nullptr;
};

/// In the order in which they are shown: those without a section first, then section by section.
const std::vector<option>& options();

/// By its key; nullptr: there is none.
const option* find_option(std::string_view key);

/// "retain" of "retain.days"; empty: none.
std::string_view section_of(const option& of);
/// "days" of "retain.days".
std::string_view name_of(const option& of);
/// "TOFUD_RETAIN_DAYS" of the flag "--retain-days".
std::string variable_of(const option& of);

value value_in(const settings& from, const option& of);
void set_value(settings& in, const option& of, const value& to);
value default_of(const option& of);

/// As TOML: `90`, `"20GiB"`, `["a", "b"]`.
std::string toml_text(const option& of, const value& from);

/// Where a text comes from decides whether a relative path means anything.
enum class relative_paths : std::uint8_t { refused, allowed };

/// Reads the value of a flag or of an environment variable; a list may have several texts, and a
/// variable's are parted by commas beforehand. The failure is a sentence's end.
boost::system::result<value, wrong_value> parse_value(const option& of,
                                                      const std::vector<std::string>& texts,
                                                      relative_paths paths);

/// Empty, or why the option can't have that value: bounds, words, shape.
std::string refusal_of(const option& of, const value& wanted, relative_paths paths);

}  // namespace tofud::settings
