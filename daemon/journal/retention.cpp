#include "daemon/journal/retention.hpp"

#include <algorithm>
#include <tuple>

namespace tofud::journal {

std::vector<std::string> beyond(const retention& kept, std::vector<retained_run> runs,
                                ui::time_point now,
                                const std::function<bool(const std::string& run)>& keep) {
  std::sort(runs.begin(), runs.end(), [](const retained_run& a, const retained_run& b) {
    return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id);
  });
  std::uint64_t count = runs.size();
  std::uint64_t bytes = 0;
  for (const auto& run : runs) bytes += run.disk_bytes;
  std::vector<std::string> removed;
  for (const auto& run : runs) {
    if (!run.completed_at) continue;
    const bool old = kept.age && now - *run.completed_at > *kept.age;
    const bool many = kept.runs && count > *kept.runs;
    const bool large = kept.bytes && bytes > *kept.bytes;
    if (!(old || many || large) || keep(run.id)) continue;
    removed.push_back(run.id);
    --count;
    bytes -= run.disk_bytes;
  }
  return removed;
}

}  // namespace tofud::journal
