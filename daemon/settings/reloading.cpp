#include "daemon/settings/reloading.hpp"

namespace tofud::settings {
namespace {

void tell(const std::vector<failure>& wrong, reload_outcome& outcome) {
  for (const auto& each : wrong) outcome.failures.push_back(to_string(each));
}

std::string change_of(const option& of, const effective& from, const effective& to) {
  return std::string{of.key} + " is " + toml_text(of, value_in(to.values, of)) + " now, it was " +
         toml_text(of, value_in(from.values, of)) + " (" + to.origin_of(of).text + ")";
}

}  // namespace

reload_outcome reloading::reload() {
  reload_outcome outcome;
  const said_settings said = read_();
  tell(said.failures, outcome);
  auto wanted = tofud::settings::reload(running_, said.from);
  tell(wanted.failures, outcome);
  if (!outcome.failures.empty()) return outcome;
  std::vector<reload_step> prepared;
  for (const step& each : steps_) {
    prepared.push_back(each(wanted.now.values));
    if (!prepared.back().refusal.empty()) outcome.failures.push_back(prepared.back().refusal);
  }
  if (!outcome.failures.empty()) return outcome;
  for (const reload_step& each : prepared) each.apply();
  for (const auto* each : wanted.changed)
    outcome.changed.push_back(change_of(*each, running_, wanted.now));
  for (const std::string_view each : wanted.changed_tables)
    outcome.changed.push_back("[[" + std::string{each} + "]] has changed");
  for (const auto* each : wanted.needs_restart) {
    outcome.needs_restart.push_back(std::string{each->key} + " has changed and needs a restart");
  }
  running_ = std::move(wanted.now);
  return outcome;
}

}  // namespace tofud::settings
