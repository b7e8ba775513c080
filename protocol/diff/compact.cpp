#include "protocol/diff/compact.hpp"

#include "protocol/diff/limits.hpp"
#include "protocol/text/characters.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tofud::diff {
namespace {

using plan::planned_action;

// The paths of what changes, down to where a whole value comes, goes or becomes another.
class changed_paths {
 public:
  struct found {
    std::string path;
    bool forces_replacement;
    bool deprecated;
  };

  explicit changed_paths(const change& tree) { look(tree, "", tree.forces_replacement, false); }
  const std::vector<found>& all() const { return all_; }

 private:
  static std::string member(const std::string& path, std::string_view key) {
    if (!text::is_identifier(key)) return path + "[" + text::quoted(key) + "]";
    return path.empty() ? std::string{key} : path + "." + std::string{key};
  }

  void look(const change& at, const std::string& path, bool forced, bool deprecated) {
    if (at.action == action::none) return;
    forced = forced || at.forces_replacement;
    deprecated = deprecated || (at.known != nullptr && at.known->deprecated);
    const std::size_t before = all_.size();
    if (at.action == action::update) look_inside(at, path, forced, deprecated);
    if (all_.size() == before && !path.empty()) all_.push_back({path, forced, deprecated});
  }

  void look_inside(const change& at, const std::string& path, bool forced, bool deprecated) {
    if (const auto* object = std::get_if<object_change>(&at.what)) {
      for (const change& each : object->members)
        look(each, member(path, each.key), forced, deprecated);
    } else if (const auto* map = std::get_if<map_change>(&at.what)) {
      for (const change& each : map->elements)
        look(each, path + "[" + text::quoted(each.key) + "]", forced, deprecated);
    } else if (const auto* block = std::get_if<block_change>(&at.what)) {
      for (const change& each : block->attributes)
        look(each, member(path, each.key), forced, deprecated);
      for (const block_group& each : block->groups)
        look_inside(each, member(path, each.name), forced, deprecated);
    }
  }

  void look_inside(const block_group& at, const std::string& path, bool forced, bool deprecated) {
    const bool changes =
        at.before_sensitive != at.after_sensitive ||
        std::any_of(at.instances.begin(), at.instances.end(),
                    [](const change& each) { return each.action != action::none; });
    if (!changes) return;
    forced = forced || at.forces_replacement;
    deprecated = deprecated || (at.known != nullptr && at.known->block.deprecated);
    if (at.instances.size() == 1 && !at.labelled && !at.before_sensitive && !at.after_sensitive)
      look(at.instances.front(), path, forced, deprecated);
    else
      all_.push_back({path, forced, deprecated});
  }

  std::vector<found> all_;
};

std::string list_of(const std::vector<changed_paths::found>& all, bool forced) {
  std::string text;
  std::size_t told = 0, left_out = 0;
  for (const auto& each : all) {
    if (each.forces_replacement != forced) continue;
    if (told == limits::compact_names) {
      ++left_out;
      continue;
    }
    if (told++ > 0) text.append(", ");
    text.append(each.path);
    if (each.deprecated) text.append(" (deprecated)");
  }
  if (left_out > 0) text.append(" and ").append(std::to_string(left_out)).append(" more");
  return text;
}

std::string what_changes(const plan::resource_change& about, const change& tree) {
  const planned_action done = about.change.action;
  if (done != planned_action::update && done != planned_action::none && !plan::replaces(done))
    return {};
  const changed_paths found{tree};
  const std::string forcing = list_of(found.all(), true), others = list_of(found.all(), false);
  std::string text;
  if (!forcing.empty()) text.append(": ").append(forcing).append(" (forces replacement)");
  if (!others.empty()) text.append(forcing.empty() ? ": " : ", ").append(others);
  return text;
}

}  // namespace

std::string compact_line(const plan::resource_change& about, const change& tree, cause why,
                         const drawer& with, const text::ink& pen) {
  std::string line = sign_of(about.change.action, with, pen) + " " + with.text(about.address);
  if (!about.deposed.empty())
    line.append(" (deposed object ").append(with.text(about.deposed)).append(")");
  if (moves(about))
    line.append(" (moved from ").append(with.text(about.previous_address)).append(")");
  if (about.change.importing) line.append(" (imported)");
  if (why == cause::drift) line.append(" (changed outside of OpenTofu)");
  return line.append(what_changes(about, tree)).append("\n");
}

}  // namespace tofud::diff
