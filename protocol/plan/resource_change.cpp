#include "protocol/plan/resource_change.hpp"

#include <utility>
#include <vector>

namespace tofud::plan {
namespace {

using json::kind;
using json::value;

result<planned_action> read_actions(value from, const std::string& path) {
  if (!from.is(kind::array)) return failure{error::no_strings, path};
  std::string words;
  for (const value each : from) {
    if (!each.is(kind::string)) return failure{error::no_strings, path};
    words.append(words.empty() ? "" : ",").append(each.text());
  }
  if (words == "no-op" || words.empty()) return planned_action::none;
  if (words == "create") return planned_action::create;
  if (words == "read") return planned_action::read;
  if (words == "update") return planned_action::update;
  if (words == "delete") return planned_action::remove;
  if (words == "delete,create") return planned_action::remove_then_create;
  if (words == "create,delete") return planned_action::create_then_remove;
  if (words == "forget") return planned_action::forget;
  if (words == "forget,create" || words == "create,forget")
    return planned_action::forget_then_create;
  return planned_action::unknown;
}

value or_nothing(value from) { return from.is(kind::null) ? value{} : from; }

}  // namespace

bool replaces(planned_action done) {
  return done == planned_action::remove_then_create || done == planned_action::create_then_remove ||
         done == planned_action::forget_then_create;
}

result<change> read_change(value from, const std::string& path) {
  if (!from.is(kind::object)) return failure{error::no_object, path};
  const auto actions = read_actions(from["actions"], path + ".actions");
  if (!actions) return actions.error();
  change made;
  made.action = *actions;
  made.before = from["before"];
  made.after = from["after"];
  made.after_unknown = from["after_unknown"];
  made.before_sensitive = from["before_sensitive"];
  made.after_sensitive = from["after_sensitive"];
  made.replace_paths = from["replace_paths"];
  made.importing = or_nothing(from["importing"]);
  made.generated_config = or_nothing(from["generated_config"]);
  made.before_identity = or_nothing(from["before_identity"]);
  made.after_identity = or_nothing(from["after_identity"]);
  return made;
}

result<resource_change> read_resource_change(value from, const std::string& path) {
  if (!from.is(kind::object)) return failure{error::no_object, path};
  const auto address = from["address"].string();
  if (!address) return failure{error::no_string, path + ".address"};
  const auto inside = read_change(from["change"], path + ".change");
  if (!inside) return inside.error();
  resource_change made;
  made.address = *address;
  const auto text = [&](std::string_view name) { return from[name].string().value_or(""); };
  made.previous_address = text("previous_address");
  made.module_address = text("module_address");
  made.mode = text("mode");
  made.type = text("type");
  made.name = text("name");
  made.deposed = text("deposed");
  made.provider_name = text("provider_name");
  made.action_reason = text("action_reason");
  made.index = or_nothing(from["index"]);
  made.change = *inside;
  return made;
}

}  // namespace tofud::plan
