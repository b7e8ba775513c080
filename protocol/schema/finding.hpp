// What is wrong with a document of schemas.
#pragma once

#include <cstdint>
#include <string>

namespace tofud::schema {

struct finding {
  enum class weight : std::uint8_t { error, warning };

  weight of = weight::error;
  /// `LINE:COLUMN` of text that is no JSON, else the path of the value; empty: the whole document.
  std::string where = {};
  /// The end of a sentence that begins with that place.
  std::string what = {};

  friend bool operator==(const finding&, const finding&) = default;
};

/// As a line without its newline: `WHERE: WHAT`, with `warning: ` before WHAT where it is one.
std::string to_string(const finding& of);

}  // namespace tofud::schema
