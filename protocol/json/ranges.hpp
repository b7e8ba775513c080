// Where the parts of a large JSON text lie, without parsing what is in them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::json {

/// One value of an object or array. Views into the text; the key has its escapes resolved.
struct range {
  std::string key;  // of an object's member
  std::string_view text;
};

/// The members of the object that `text` is, or elements of the array, in order. Nothing if it is
/// no object (array), ends before its end or has more after it. What is inside of the values is
/// only followed by its brackets and quotes: it may still be no JSON.
std::optional<std::vector<range>> members_of(std::string_view text);
std::optional<std::vector<range>> elements_of(std::string_view text);

/// What stands between the quotes of a string without escapes; empty: it is no string.
inline std::string_view plain_string(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return {};
  return text.substr(1, text.size() - 2);
}

}  // namespace tofud::json
