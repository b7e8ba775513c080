#include "protocol/diff/state_resources.hpp"

#include "protocol/diff/value_change.hpp"
#include "protocol/json/limits.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/schema/provider_schemas.hpp"

#include <string>

namespace tofud::diff {
namespace {

sides unchanged(json::value value, json::value sensitive) {
  sides between;
  between.before = between.after = value;
  between.before_sensitive = between.after_sensitive = sensitive;
  return between;
}

class walk {
 public:
  walk(const std::function<void(const plan::state_resource&)>& look, const module_sink& module)
      : look_{look}, module_{module} {}

  // `first`: nothing stands before it in it or in those around it.
  std::optional<plan::failure> module(std::string_view text, const std::string& path, bool first,
                                      std::size_t depth) {
    if (depth > limits::json_depth) return plan::failure{plan::error::nested_too_deep, path};
    const auto found = plan::read_state_module(text, path);
    if (!found) return found.error();
    if (module_) module_(first, !found->resources.empty());
    for (std::size_t i = 0; i < found->resources.size(); ++i) {
      const std::string here = path + ".resources[" + std::to_string(i) + "]";
      if (auto wrong = parsed_.parse(found->resources[i], here)) return wrong;
      const auto about = plan::read_state_resource(parsed_.root(), here);
      if (!about) return about.error();
      look_(*about);
    }
    first = first && found->resources.empty();
    for (std::size_t i = 0; i < found->child_modules.size(); ++i) {
      const std::string here = path + ".child_modules[" + std::to_string(i) + "]";
      if (auto wrong = module(found->child_modules[i], here, first, depth + 1)) return wrong;
    }
    return {};
  }

 private:
  const std::function<void(const plan::state_resource&)>& look_;
  const module_sink& module_;
  plan::part parsed_;
};

}  // namespace

state_tree tree_of(const plan::state_resource& about, const knowledge& known) {
  const sides between = unchanged(about.values, about.sensitive_values);
  const schema::object_schema* found = find(known, about.provider_name, about.mode, about.type);
  if (found == nullptr) return {compute_untyped(between), false};
  return {compute(between, found->block, known.marks), true};
}

std::optional<plan::failure> for_each_resource(
    const plan::state_document& state, const std::function<void(const plan::state_resource&)>& look,
    const module_sink& module) {
  return walk{look, module}.module(state.root_module, "values.root_module", true, 0);
}

std::optional<plan::failure> for_each_output(
    const plan::state_document& state,
    const std::function<void(std::string_view name, const change& tree)>& look) {
  plan::part parsed;
  if (auto wrong = parsed.parse(state.outputs, "values.outputs")) return wrong;
  const members all{parsed.root()};
  for (const json::value each : all.all()) {
    sides between = unchanged(each["value"], each["sensitive"]);
    between.before_explicit = between.after_explicit = true;
    const auto type = schema::read_type(each["type"]);
    look(each.key(), type ? compute(between, *type) : compute(between));
  }
  return {};
}

}  // namespace tofud::diff
