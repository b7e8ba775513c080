#include "daemon/settings/reload.hpp"

#include "daemon/settings/table_shapes.hpp"

#include <utility>

namespace tofud::settings {
namespace {

std::vector<table> tables_of(const settings& from, const table_shape& of) {
  std::vector<table> all;
  for (const table& each : from.tables)
    if (each.of == &of) all.push_back(each);
  return all;
}

}  // namespace

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
  for (const table_shape& each : table_shapes()) {
    if (tables_of(made.now.values, each) != tables_of(said.now.values, each))
      made.changed_tables.push_back(each.key);
  }
  made.now.values.tables = std::move(said.now.values.tables);
  return made;
}

}  // namespace tofud::settings
