// What runs did, as daemons tell each other.
#pragma once

#include "daemon/history/operation.hpp"
#include "protocol/text/failure.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::history {

/// JSON texts of about `most` bytes at most, in their order; together they are all of it.
std::vector<std::string> to_texts(const std::vector<run_operations>& all, std::size_t most);

/// Adds what one of these says behind what those before it said. The failure: it is none.
text::failure add_text(std::vector<run_operations>& to, std::string_view text);

}  // namespace tofud::history
