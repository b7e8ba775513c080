// Which texts of a run's stream stand in its rows.
#pragma once

#include <string_view>

namespace tofud::correlator {

/// OpenTofu masks neither: both may hold secrets that no rule names. What is hidden is still in the
/// stream as printed.
struct text_policy {
  bool provisioner_output = true;  // what programs print, live and quoted in their errors
  bool snippet_values = true;      // what a diagnostic says of the values in its snippet

  bool operator==(const text_policy&) const = default;
};

/// Stands where a text was: the word that a forwarder uses, too.
inline constexpr std::string_view left_out = "(left out)";

}  // namespace tofud::correlator
