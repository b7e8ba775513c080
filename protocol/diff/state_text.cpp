#include "protocol/diff/state_text.hpp"

#include "protocol/diff/drawer.hpp"
#include "protocol/json/ranges.hpp"
#include "protocol/limits.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/render/characters.hpp"
#include "protocol/schema/provider_schemas.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tofud::diff {
namespace {

constexpr room json_room{limits::json_text_bytes, limits::json_text_bytes};

// A value that is as it was.
sides unchanged(json::value value, json::value sensitive) {
  sides between;
  between.before = between.after = value;
  between.before_sensitive = between.after_sensitive = sensitive;
  return between;
}

class page {
 public:
  page(const state_drawing& wanted, const text_sink& out)
      : wanted_{wanted}, out_{out}, pen_{wanted.colours}, drawer_{pen_, wanted.filter, json_room} {
    how_.no_signs = how_.no_null_suffix = how_.show_unchanged = how_.plain_numbers = true;
  }

  plan::result<drawn_plan> draw(const plan::state_document& state) {
    if (state.root_module.empty() && state.outputs.empty()) {
      out_("The state file is empty. No resources are represented.\n");
      return drawn_;
    }
    if (auto wrong = module(state.root_module, "values.root_module", true, 0))
      return std::move(*wrong);
    if (auto wrong = outputs(state.outputs)) return std::move(*wrong);
    return drawn_;
  }

 private:
  // `first`: nothing stands before it in this module or those around it.
  std::optional<plan::failure> module(std::string_view text, const std::string& path, bool first,
                                      std::size_t depth) {
    if (depth > limits::json_depth) return plan::failure{path + " is nested too deep"};
    const auto found = plan::read_state_module(text, path);
    if (!found) return found.error();
    if (!first && !found->resources.empty()) out_("\n");
    for (std::size_t i = 0; i < found->resources.size(); ++i) {
      if (!first) out_("\n");
      first = false;
      if (auto wrong =
              resource(found->resources[i], path + ".resources[" + std::to_string(i) + "]"))
        return wrong;
    }
    for (std::size_t i = 0; i < found->child_modules.size(); ++i) {
      if (auto wrong = module(found->child_modules[i],
                              path + ".child_modules[" + std::to_string(i) + "]", first, depth + 1))
        return wrong;
    }
    return {};
  }

  std::optional<plan::failure> resource(std::string_view text, const std::string& path) {
    if (auto wrong = parsed_.parse(text, path)) return wrong;
    const auto about = plan::read_state_resource(parsed_.root(), path);
    if (!about) return about.error();
    std::string made = "# " + drawer_.text(about->address) + ":";
    if (!about->deposed_key.empty())
      made.append(" (deposed object ").append(drawer_.text(about->deposed_key)).append(")");
    else if (about->tainted)
      made.append(" (tainted)");
    const bool managed = about->mode == "managed";
    made.append(managed ? "\nresource " : "\ndata ").append(render::quoted(about->type));
    made.append(" ").append(render::quoted(about->name)).append(" ");
    out_(made.append(drawer_.draw(tree_of(*about), 0, how_)).append("\n"));
    return {};
  }

  change tree_of(const plan::state_resource& about) {
    const sides between = unchanged(about.values, about.sensitive_values);
    const schema::object_schema* found = nullptr;
    if (wanted_.known.schemas != nullptr)
      found = wanted_.known.schemas->find(about.provider_name, mode_of(about.mode), about.type);
    if (found != nullptr) return compute(between, found->block, wanted_.known.marks);
    ++drawn_.without_schema;
    return compute_untyped(between);
  }

  std::optional<plan::failure> outputs(std::string_view text) {
    if (auto wrong = parsed_.parse(text, "values.outputs")) return wrong;
    const members all{parsed_.root()};
    if (all.all().empty()) return {};
    out_("\n\nOutputs:\n\n");
    for (const json::value each : all.all()) {
      sides between = unchanged(each["value"], each["sensitive"]);
      between.before_explicit = between.after_explicit = true;
      const auto type = schema::read_type(each["type"]);
      const change tree = type ? compute(between, *type) : compute(between);
      out_(drawer_.text(each.key()) + " = " + drawer_.draw(tree, 0, how_) + "\n");
    }
    return {};
  }

  const state_drawing& wanted_;
  const text_sink& out_;
  render::ink pen_;
  drawer drawer_;
  drawing how_;
  plan::part parsed_;
  drawn_plan drawn_;
};

}  // namespace

plan::result<drawn_plan> draw(const plan::state_document& state, const state_drawing& wanted,
                              const text_sink& out) {
  return page{wanted, out}.draw(state);
}

}  // namespace tofud::diff
