#include "protocol/feed/causes.hpp"

#include <algorithm>

namespace tofud::feed {

std::string in_words(const named_operations& some, std::size_t named) {
  if (some.names.empty())
    return some.more == 0 ? "" : "about " + std::to_string(some.more) + " operations";
  const std::size_t shown = std::min(named, some.names.size());
  const std::uint64_t more = some.names.size() - shown + some.more;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == shown && more == 0;
    text.append(i == 0 ? "" : last ? " and " : ", ").append(some.names[i]);
  }
  if (more > 0) text.append(" and ").append(std::to_string(more)).append(" more");
  return text;
}

}  // namespace tofud::feed
