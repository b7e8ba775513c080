#include "protocol/diff/state_text.hpp"

#include "protocol/diff/drawer.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/diff/state_resources.hpp"
#include "protocol/text/characters.hpp"

#include <utility>

namespace tofud::diff {
namespace {

constexpr room json_room{limits::json_text_bytes, limits::json_text_bytes};

// Nothing changes, and all of it is shown.
constexpr drawing as_it_is{
    .no_null_suffix = true, .show_unchanged = true, .no_signs = true, .plain_numbers = true};

class page {
 public:
  // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject): the drawer sets its own
  page(const state_drawing& wanted, const text_sink& out)
      : wanted_{wanted},
        out_{out},
        pen_{wanted.colours},
        drawer_{pen_, wanted_.filter, json_room} {}

  plan::result<drawn_plan> draw(const plan::state_document& state) {
    if (plan::is_empty(state)) {
      out_("The state file is empty. No resources are represented.\n");
      return drawn_;
    }
    auto wrong = for_each_resource(
        state, [&](const plan::state_resource& each) { resource(each); },
        [&](bool first, bool has_resources) {
          first_ = first;
          if (!first && has_resources) out_("\n");
        });
    if (!wrong) wrong = outputs(state);
    if (wrong) return std::move(*wrong);
    return drawn_;
  }

 private:
  void resource(const plan::state_resource& about) {
    std::string made = first_ ? "# " : "\n# ";
    first_ = false;
    made.append(drawer_.text(about.address)).append(":");
    if (!about.deposed_key.empty())
      made.append(" (deposed object ").append(drawer_.text(about.deposed_key)).append(")");
    else if (about.tainted)
      made.append(" (tainted)");
    made.append(about.mode == "managed" ? "\nresource " : "\ndata ");
    made.append(text::quoted(about.type)).append(" ");
    made.append(text::quoted(about.name)).append(" ");
    const state_tree found = tree_of(about, wanted_.known);
    if (!found.has_schema) ++drawn_.without_schema;
    out_(made.append(drawer_.draw(found.tree, 0, as_it_is)).append("\n"));
  }

  std::optional<plan::failure> outputs(const plan::state_document& state) {
    bool first = true;
    return for_each_output(state, [&](std::string_view name, const change& tree) {
      if (std::exchange(first, false)) out_("\n\nOutputs:\n\n");
      out_(drawer_.text(name) + " = " + drawer_.draw(tree, 0, as_it_is) + "\n");
    });
  }

  const state_drawing& wanted_;
  const text_sink& out_;
  text::ink pen_;
  drawer drawer_;
  drawn_plan drawn_;
  bool first_ = true;
};

}  // namespace

plan::result<drawn_plan> draw(const plan::state_document& state, const state_drawing& wanted,
                              const text_sink& out) {
  return page{wanted, out}.draw(state);
}

}  // namespace tofud::diff
