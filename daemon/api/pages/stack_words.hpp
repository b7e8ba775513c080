// What is known of a stack, as sentences in HTML, for pages in a directory below `/`.
#pragma once

#include "protocol/feed/stack_row.hpp"

#include <string>
#include <string_view>

namespace tofud::pages {

/// Where `/` is, seen from such a page.
inline constexpr std::string_view above = "../";

std::string link_to(std::string_view run, std::string_view text);
/// A paragraph about its plan and its apply; empty: nothing is known.
std::string change_words(const feed::stack_row& card);
/// A paragraph about who holds its lock; empty: nobody.
std::string lock_words(const feed::stack_row& card);
/// "drifted 3 d: 2 resources changed outside of OpenTofu".
std::string drift_words(const feed::stack_row& card, ui::time_point now);

}  // namespace tofud::pages
