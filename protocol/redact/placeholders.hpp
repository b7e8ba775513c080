// What stands in place of sensitive values.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/redact/known_value.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace tofud::redact {

/// Those of one change: of the kind and shape of the secrets, and the same where they were the
/// same, so that a diff finds what it would have found. Names that are data are secrets, too.
/// Nothing (null, no text) stays nothing.
class placeholders {
 public:
  /// `masked`: names were looked after when somebody who knew the schemas masked it first.
  explicit placeholders(bool masked) : masked_{masked} {}

  void append(std::string& out, json::value secret, const known_value& known);
  /// The name of a member below a sensitive place, with its quotes.
  void append_name(std::string& out, std::string_view name, const known_value& within);

 private:
  using met = std::map<std::string, std::size_t, std::less<>>;

  void append_text(std::string& out, met& among, std::string_view text,
                   std::string_view what) const;
  void append_object(std::string& out, json::value secret, const known_value& known);
  void append_array(std::string& out, json::value secret, const known_value& known);

  bool masked_;
  met texts_, names_, numbers_, truths_;
};

/// Absent or null.
bool is_nothing(json::value of);

}  // namespace tofud::redact
