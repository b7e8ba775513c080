#include "daemon/serve/kept_facts.hpp"

#include "protocol/json/members.hpp"

#include <boost/json.hpp>

namespace tofud::serve {
namespace {

using boost::json::object;
using boost::json::value;

value time_or_null(const std::optional<ui::time_point>& at) {
  if (!at) return nullptr;
  std::string text;
  ui::append_timestamp(text, *at);
  return value(text);
}

object lock_of(const wall::lock_error& error) {
  const wall::lock_info& lock = error.lock;
  return {{"id", lock.id},
          {"path", lock.path},
          {"operation", lock.operation},
          {"who", lock.who},
          {"version", lock.version},
          {"info", lock.info},
          {"created_at", time_or_null(lock.created_at)},
          {"at", time_or_null(error.at)}};
}

wall::lock_error lock_from(const object& from) {
  wall::lock_error error;
  error.lock.id = json::text_at(from, "id");
  error.lock.path = json::text_at(from, "path");
  error.lock.operation = json::text_at(from, "operation");
  error.lock.who = json::text_at(from, "who");
  error.lock.version = json::text_at(from, "version");
  error.lock.info = json::text_at(from, "info");
  error.lock.created_at = ui::parse_timestamp(json::text_at(from, "created_at"));
  error.at = ui::parse_timestamp(json::text_at(from, "at"));
  return error;
}

}  // namespace

std::string to_text(const wall::run_facts& facts) {
  object line{{"kind", "facts"},
              {"key", facts.id},
              {"stale", facts.plan_was_stale},
              {"apply_ran", facts.apply_ran}};
  if (facts.is_partial) line["partial"] = true;
  if (facts.rows.drifted > 0) line["drifted"] = facts.rows.drifted;
  if (facts.rows.names) {
    object providers;
    for (const auto& [source, version] : facts.rows.names->providers) providers[source] = version;
    line["providers"] = std::move(providers);
    const auto& owners = facts.rows.names->owners;
    line["owners"] = boost::json::array(owners.begin(), owners.end());
  }
  if (facts.has_changes) line["changes"] = *facts.has_changes;
  if (facts.locked_out) line["lock"] = lock_of(*facts.locked_out);
  return boost::json::serialize(line);
}

bool take_text(wall::run_facts& facts, std::string_view line) {
  const json::small_document document{line};
  if (document.object() == nullptr) return false;
  const object& from = *document.object();
  if (json::text_at(from, "kind") != "facts") return false;
  facts.plan_was_stale = json::is_true_at(from, "stale");
  facts.apply_ran = json::is_true_at(from, "apply_ran");
  facts.is_partial = json::is_true_at(from, "partial");
  wall::run_names names;
  if (const value* owners = from.if_contains("owners"); owners != nullptr && owners->is_array()) {
    for (const value& each : owners->get_array()) {
      if (each.is_string()) names.owners.emplace(each.get_string());
    }
  }
  if (const value* all = from.if_contains("providers"); all != nullptr && all->is_object()) {
    for (const auto& [source, version] : all->get_object()) {
      if (version.is_string()) names.providers.emplace(source, version.get_string());
    }
  }
  if (names != wall::run_names{})
    facts.rows.names = std::make_shared<const wall::run_names>(std::move(names));
  if (const value* count = from.if_contains("drifted"); count != nullptr && count->is_int64())
    facts.rows.drifted = static_cast<std::uint64_t>(count->get_int64());
  if (from.if_contains("changes") != nullptr) facts.has_changes = json::is_true_at(from, "changes");
  if (const value* lock = from.if_contains("lock"); lock != nullptr && lock->is_object()) {
    facts.locked_out = lock_from(lock->get_object());
  }
  return true;
}

}  // namespace tofud::serve
