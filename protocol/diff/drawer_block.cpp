// Bodies of resources and blocks.
#include "protocol/diff/drawer.hpp"
#include "protocol/text/characters.hpp"

#include <algorithm>

namespace tofud::diff {

std::string drawer::draw_block(const change& all, const block_change& c, std::size_t depth,
                               drawing how) const {
  if (c.attributes.empty() && c.groups.empty()) return "{}" + forces(all, how);
  std::size_t width = 0;
  for (const change& each : c.attributes) width = std::max(width, written_key(each.key).size());
  std::string out = "{" + forces(all, how) + "\n";
  how.forced = false;
  std::size_t unchanged = 0;
  for (const change& each : c.attributes) {
    drawing inner = how;
    if (tells_which(each.key)) {
      inner.show_unchanged = true;
    } else if (each.action == action::none && !how.show_unchanged) {
      ++unchanged;
      continue;
    }
    out.append(warning(each, depth + 1, how)).append(begin(depth + 1, each.action, how));
    out.append(padded(written_key(each.key), width)).append(" = ");
    out.append(draw(each, depth + 1, inner)).append("\n");
  }
  if (unchanged > 0)
    out.append(begin(depth + 1, action::none, how))
        .append(hidden("attribute", unchanged))
        .append("\n");
  return out.append(draw_groups(c, depth, how)).append(begin(depth, action::none, how)).append("}");
}

std::string drawer::draw_groups(const block_change& c, std::size_t depth, drawing how) const {
  std::string out;
  std::size_t unchanged = 0;
  for (const block_group& group : c.groups) {
    bool first = true;
    for (const change& each : group.instances) {
      bool shown = false;
      const std::string drawn = draw_instance(group, each, depth, how, shown);
      if (!shown) {
        ++unchanged;
        continue;
      }
      if (first && !c.attributes.empty()) out.append("\n");
      first = false;
      out.append(drawn);
    }
  }
  if (unchanged > 0)
    out.append("\n")
        .append(begin(depth + 1, action::none, how))
        .append(hidden("block", unchanged))
        .append("\n");
  return out;
}

std::string drawer::draw_instance(const block_group& of, const change& each, std::size_t depth,
                                  drawing how, bool& shown) const {
  change as_sensitive;
  const change* drawn = &each;
  const bool hides = each.action == action::create   ? of.after_sensitive
                     : each.action == action::remove ? of.before_sensitive
                                                     : of.before_sensitive || of.after_sensitive;
  if (hides) {
    as_sensitive.action = each.action;
    if (each.action == action::none && of.before_sensitive != of.after_sensitive)
      as_sensitive.action = action::update;
    as_sensitive.what =
        sensitive_change{each.action, of.before_sensitive, of.after_sensitive, true};
    as_sensitive.forces_replacement = each.forces_replacement;
    drawn = &as_sensitive;
  }
  shown = drawn->action != action::none || how.show_unchanged;
  if (!shown) return {};
  drawing inner = how;
  inner.forced = of.forces_replacement;
  std::string out = warning(*drawn, depth + 1, how) + begin(depth + 1, drawn->action, how);
  out.append(written_key(of.name)).append(" ");
  const bool hides_label = how.no_labels && (of.before_sensitive || of.after_sensitive);
  if (of.labelled && !hides_label) out.append(text::quoted(each.key)).append(" ");
  return out.append(draw(*drawn, depth + 1, inner)).append("\n");
}

}  // namespace tofud::diff
