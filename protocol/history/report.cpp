#include "protocol/history/report.hpp"

#include "protocol/history/limits.hpp"

#include <algorithm>

namespace tofud::history {

std::size_t entry::newest_looked_at() const { return std::min(newest.size(), limits::flaky_of); }

std::size_t entry::failed_of_newest() const {
  return static_cast<std::size_t>(std::count_if(
      newest.begin(), newest.begin() + static_cast<std::ptrdiff_t>(newest_looked_at()),
      [](const ended_operation& each) { return each.status == "failed"; }));
}

bool entry::is_flaky() const {
  const std::size_t failed = failed_of_newest();
  return failed > 0 && failed < newest_looked_at();
}

}  // namespace tofud::history
