#include "daemon/settings/value.hpp"

#include "protocol/text/whole_number.hpp"

#include <boost/throw_exception.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <stdexcept>

namespace tofud::settings {
namespace {

struct unit {
  std::string_view name;
  std::uint64_t worth;
};

constexpr std::uint64_t kib = 1024;
// The first name of each worth is the one that is written.
constexpr std::array<unit, 14> size_units{{{"TiB", kib* kib* kib* kib},
                                           {"GiB", kib* kib* kib},
                                           {"MiB", kib* kib},
                                           {"KiB", kib},
                                           {"B", 1},
                                           {"TB", kib* kib* kib* kib},
                                           {"GB", kib* kib* kib},
                                           {"MB", kib* kib},
                                           {"KB", kib},
                                           {"T", kib* kib* kib* kib},
                                           {"G", kib* kib* kib},
                                           {"M", kib* kib},
                                           {"K", kib},
                                           {"", 1}}};
constexpr std::array<unit, 5> time_units{
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

/// Digits, spaces, a unit of the list; nothing if it is anything else or too large.
template <std::size_t Size>
std::optional<std::uint64_t> with_unit(std::string_view text, const std::array<unit, Size>& units) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = text::parse_whole_number<std::uint64_t>(text.substr(0, digits));
  if (!number) return std::nullopt;
  text.remove_prefix(digits);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  for (const unit& each : units) {
    if (!same_letters(text, each.name)) continue;
    if (*number > std::numeric_limits<std::int64_t>::max() / each.worth) return std::nullopt;
    return *number * each.worth;
  }
  return std::nullopt;
}

template <std::size_t Size>
std::string in_largest_unit(std::uint64_t number, const std::array<unit, Size>& units,
                            std::string_view smallest) {
  for (const unit& each : units) {
    if (number >= each.worth && number % each.worth == 0)
      return std::to_string(number / each.worth) + std::string{each.name};
  }
  return std::to_string(number) + std::string{smallest};
}

}  // namespace

void throw_exception_from_error(const wrong_value& wrong, const boost::source_location&) {
  boost::throw_exception(std::runtime_error{wrong.why});
}

boost::system::result<std::uint64_t, wrong_value> parse_size(std::string_view text) {
  const auto bytes = with_unit(text, size_units);
  if (!bytes) return wrong_value{"is not a size; write one such as 4096, 64KiB or 20GiB"};
  return *bytes;
}

boost::system::result<std::chrono::milliseconds, wrong_value> parse_duration(
    std::string_view text) {
  const auto time = with_unit(text, time_units);
  if (!time)
    return wrong_value{"is not a duration; write one with its unit, such as 500ms, 5s, 2m or 1h"};
  return std::chrono::milliseconds{static_cast<std::int64_t>(*time)};
}

std::string size_text(std::uint64_t bytes) { return in_largest_unit(bytes, size_units, "B"); }

std::string duration_text(std::chrono::milliseconds time) {
  return in_largest_unit(static_cast<std::uint64_t>(time.count()), time_units, "s");
}

std::string toml_string(std::string_view text) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string out = "\"";
  const auto escape = [&](unsigned char code) {
    out += "\\u00";
    out += digits[code >> 4U];
    out += digits[code & 15U];
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[i];
    } else if (byte < 0x20 || byte == 0x7f) {
      escape(byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {
      escape(static_cast<unsigned char>(next));
      ++i;
    } else {
      out += text[i];
    }
  }
  return out + '"';
}

}  // namespace tofud::settings
