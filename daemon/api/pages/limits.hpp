// Limits of daemon/api/pages, each with its reason.
#pragma once

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// The plain wall asks for itself again so often: without a script there is no other way to be new,
/// and a page of a hundred cards costs a millisecond.
inline constexpr std::chrono::duration<unsigned> plain_refresh{10};

/// Runs on the page of a stack: a month of one that is applied every day.
inline constexpr std::size_t runs_of_a_stack = 30;

/// Resources that are named as slow, or as failing, on that page; and applies that have to be known
/// before it is said how long they take: of fewer anybody sees it in the list.
inline constexpr std::size_t told_of_a_stack = 5;

}  // namespace tofud::limits
