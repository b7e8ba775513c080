// What can be wrong with what is attached to a run.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::attachments {

enum class error : std::uint8_t {
  plan_gone,
  bad_document,
  no_specification,
  large_plan,
  not_shown,
  no_schemas,
  large_specification,
  unreadable_directory,
  empty_directory,
  many_files,
  document,
  bad_schemas,
  large_schemas,
  large_kept_schemas,
  large_changes
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::attachments
