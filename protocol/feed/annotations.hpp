// What people wrote of a block, in a line.
#pragma once

#include "protocol/feed/row.hpp"

#include <string>

namespace tofud::feed {

/// "owner @db · runbook https://wiki/db"; empty if neither is said. Text from outside as it came.
std::string in_words(const annotations& said);

}  // namespace tofud::feed
