// Values of a plan that are to be seen nowhere, in whatever text somebody prints them.
#pragma once

#include "protocol/plan/plan.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/schema/schema.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tofud::redact {

struct hidden_values {
  std::vector<std::string> texts;  // each once, by length
  std::size_t left_out = 0;        // beyond limits::hidden_values and mask_file_bytes: the longest
};

/// Strings and long numbers in the changes, drift, outputs, prior state and variables of a plan
/// that it or a schema (nullptr: none) calls sensitive, of limits::hidden_value_bytes or more. What
/// a resource's address or an output's name has in it is seen anyway, and is not among them. A plan
/// that was masked has none. A failure names the path of what is wrong.
plan::result<hidden_values> hidden_values_of(const plan::document& from,
                                             const schema::schemas* known);

}  // namespace tofud::redact
