// What a resource waits for, or is behind, in words.
#pragma once

#include "protocol/feed/row.hpp"

#include <cstddef>
#include <string>

namespace tofud::feed {

/// "aws_vpc.main", "aws_vpc.main and 3 more"; "about 512 operations" where none is named. `named`:
/// how many of the names are told. Text from outside as it came; empty if there are none.
std::string in_words(const named_operations& some, std::size_t named = 2);

}  // namespace tofud::feed
