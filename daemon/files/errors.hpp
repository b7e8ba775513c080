// What can be wrong with a file.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::files {

enum class error : std::uint8_t {
  unreadable,
  directory,
  stream_directory,
  irregular,
  large_text,
  growing,
  large_document,
  torn,
  badly_compressed,
  no_memory,
  unwritable,
  link_of_another,
  no_file
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::files
