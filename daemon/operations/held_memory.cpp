#include "daemon/operations/held_memory.hpp"

namespace tofud::operations {

std::string_view name(memory_for part) {
  constexpr std::array<std::string_view, memory_parts> names{"rows",   "lines",   "flushes",
                                                             "bodies", "answers", "walls"};
  return names.at(static_cast<std::size_t>(part));
}

std::size_t memory_held() {
  std::size_t sum = 0;
  for (const auto& each : detail::held_memory_of) sum += each.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace tofud::operations
