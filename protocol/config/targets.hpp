// What an expression refers to.
#pragma once

#include "protocol/config/lexer.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::config {

/// What is told of each target, as in `reference::target`.
using target_found = std::function<void(std::string_view target)>;

/// What texts in quotes are inside of an expression.
enum class quoted_as : std::uint8_t {
  text,
  address,  // in `depends_on` and its like, where old configurations quote addresses
};

/// Tells of everything that an expression, or a template, of a module refers to. `bound` are names
/// that mean something else there, such as the iterator of a `dynamic` block; names that a `for`
/// brings are found. Reads up to the first character that has no meaning.
void find_targets(std::string_view text, lexed_as kind, std::vector<std::string_view> bound,
                  quoted_as quoted, const target_found& found);

}  // namespace tofud::config
