// What can be wrong with what is attached to a stream.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::pipeline {

enum class error : std::uint8_t {
  bad_plan,
  needs_plan,
  part_gone,
  part_not_shown,
  part_of_snapshot_gone
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::pipeline
