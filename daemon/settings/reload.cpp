#include "daemon/settings/reload.hpp"

#include <utility>

namespace tofud::settings {

reloaded reload(const effective& current, const sources& from) {
  reloaded made;
  merged said = merge(from);
  made.failures = std::move(said.failures);
  made.now = current;
  if (!made.failures.empty()) return made;
  for (const option& each : options()) {
    const value wanted = value_in(said.now.values, each);
    const bool differs = wanted != value_in(current.values, each);
    if (differs && each.effect == takes_effect::on_restart) {
      made.needs_restart.push_back(&each);
      continue;
    }
    if (differs) made.changed.push_back(&each);
    made.now.set(each, wanted, said.now.origin_of(each));
  }
  return made;
}

}  // namespace tofud::settings
