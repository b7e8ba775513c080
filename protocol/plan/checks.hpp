// Checks of a plan or state: conditions of resources and outputs, and check blocks.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/plan/failure.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::plan {

enum class check_status : std::uint8_t {
  pass,
  fail,
  error,    // it could not be evaluated
  unknown,  // not before the apply; also what a newer OpenTofu says
};

std::string_view name(check_status status);

/// Views into a parsed document, as all of this.
struct check_instance {
  std::string_view address;  // as people are shown it
  check_status status = check_status::unknown;
  std::vector<std::string_view> problems;  // messages
};

struct check {
  std::string_view kind;  // resource, output_value, check, var
  std::string_view address;
  check_status status = check_status::unknown;
  std::vector<check_instance> instances;  // none: it has none, or they are not known yet
};

/// `from` is an array, or nothing. A failure begins with `path`.
result<std::vector<check>> read_checks(json::value from, const std::string& path = "checks");

}  // namespace tofud::plan
