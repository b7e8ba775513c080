#include "protocol/diff/drawer.hpp"

#include "protocol/diff/plain_number.hpp"
#include "protocol/diff/sides.hpp"
#include "protocol/text/characters.hpp"

#include <algorithm>

namespace tofud::diff {

using json::value;
using text::style;

std::string indent(std::size_t depth) { return std::string(4 * depth, ' '); }

bool tells_which(std::string_view key) { return key == "id" || key == "name" || key == "tags"; }

std::string written_key(std::string_view key) {
  return text::is_identifier(key) ? std::string{key} : text::quoted(key);
}

std::string padded(std::string_view name, std::size_t width) {
  return std::string{name}.append(width - std::min(width, text::count_characters(name)), ' ');
}

std::string drawer::draw(const change& all, std::size_t depth, drawing how) const {
  struct visitor {
    const drawer& self;
    const change& all;
    std::size_t depth;
    drawing how;

    std::string operator()(const primitive_change& c) const {
      return c.is_text ? self.draw_text(all, c, depth, how) : self.draw_simple(all, c, how);
    }
    std::string operator()(const object_change& c) const {
      return self.draw_object(all, c, depth, how);
    }
    std::string operator()(const map_change& c) const { return self.draw_map(all, c, depth, how); }
    std::string operator()(const list_change& c) const {
      return self.draw_list(all, c, depth, how);
    }
    std::string operator()(const set_change& c) const { return self.draw_set(all, c, depth, how); }
    std::string operator()(const block_change& c) const {
      return self.draw_block(all, c, depth, how);
    }
    std::string operator()(const unknown_change& c) const {
      return self.draw_unknown(all, c, depth, how);
    }
    std::string operator()(const sensitive_change& c) const {
      return self.draw_sensitive(all, c, depth, how);
    }
    std::string operator()(const type_change& c) const { return self.draw_type(c, depth, how); }
    std::string operator()(const write_only_change&) const {
      return "(write-only attribute)" + self.forces(all, how) + self.null_suffix(all.action, how);
    }
  };
  return std::visit(visitor{*this, all, depth, how}, all.what);
}

std::string drawer::phrase(style colour, std::string_view text) const {
  std::string out{pen_[colour]};
  return out.append(text).append(pen_[style::reset]).append(pen_[style::reset]);
}
std::string drawer::text(std::string_view outside) const {
  return filter_ ? filter_(outside) : std::string{outside};
}
std::string drawer::null() const { return phrase(style::dark_gray, "null"); }
std::string drawer::arrow() const { return " " + phrase(style::yellow, "->") + " "; }

std::string drawer::null_suffix(action done, drawing how) const {
  if (how.no_null_suffix || done != action::remove) return "";
  return " " + phrase(style::dark_gray, "-> null");
}

std::string drawer::forces(const change& all, drawing how) const {
  if (!all.forces_replacement && !how.forced) return "";
  return " " + phrase(style::red, "# forces replacement");
}

std::string drawer::begin(std::size_t depth, action done, drawing how) const {
  if (how.no_signs) return indent(depth);
  switch (done) {
    case action::create:
      return indent(depth) + "  " + phrase(style::green, "+") + " ";
    case action::update:
      return indent(depth) + "  " + phrase(style::yellow, "~") + " ";
    case action::remove:
      return indent(depth) + "  " + phrase(style::red, "-") + " ";
    case action::none:
      break;
  }
  return indent(depth + 1);
}

std::string drawer::hidden(std::string_view noun, std::size_t count) const {
  return phrase(style::dark_gray, "# (" + std::to_string(count) + " unchanged " +
                                      std::string{noun} + (count == 1 ? "" : "s") + " hidden)");
}

std::string drawer::warning(const change& all, std::size_t depth, drawing) const {
  const auto* sensitive = std::get_if<sensitive_change>(&all.what);
  if (sensitive == nullptr || sensitive->before == sensitive->after) return "";
  if (sensitive->inner == action::create || sensitive->inner == action::remove) return "";
  const std::string start = indent(depth) + "  # ";
  std::string out = start;
  out.append(pen_[style::yellow]).append("Warning").append(pen_[style::reset]);
  out.append(sensitive->is_block ? ": this block will " : ": this attribute value will ");
  if (sensitive->before)
    out.append("no longer be marked as sensitive\n").append(start);
  else
    out.append("be marked as sensitive and will not\n")
        .append(start)
        .append("display in UI output ");
  out.append("after applying this change.").append(pen_[style::reset]);
  if (sensitive->inner == action::none && !sensitive->is_block)
    out.append(" The value is unchanged.");
  return out.append("\n");
}

std::string drawer::simple(value of, drawing how) const {
  if (is_nil(of)) return null();
  if (of.is(json::kind::boolean_true)) return "true";
  if (of.is(json::kind::boolean_false)) return "false";
  return how.plain_numbers && of.is(json::kind::number) ? plain_number(of.text())
                                                        : std::string{of.text()};
}

std::string drawer::draw_simple(const change& all, const primitive_change& c, drawing how) const {
  std::string out;
  switch (all.action) {
    case action::create:
      out = simple(c.after, how);
      break;
    case action::remove:
      out = simple(c.before, how) + null_suffix(all.action, how);
      break;
    case action::none:
      out = simple(c.before, how);
      break;
    case action::update:
      out = simple(c.before, how) + arrow() + simple(c.after, how);
      break;
  }
  return out + forces(all, how);
}

std::string drawer::draw_object(const change& all, const object_change& c, std::size_t depth,
                                drawing how) const {
  if (c.members.empty()) return "{}" + null_suffix(all.action, how) + forces(all, how);
  std::vector<std::string> names;
  std::size_t width = 0;
  for (const change& member : c.members) {
    names.push_back(written_key(member.key));
    width = std::max(width, names.back().size());
  }
  std::string out = "{" + forces(all, how) + "\n";
  std::size_t unchanged = 0;
  for (std::size_t i = 0; i < c.members.size(); ++i) {
    const change& member = c.members[i];
    drawing inner = how;
    inner.no_null_suffix = !c.nested;
    inner.forced = false;
    if (tells_which(member.key)) {
      inner.show_unchanged = true;
    } else if (member.action == action::none && !how.show_unchanged) {
      ++unchanged;
      continue;
    }
    out.append(warning(member, depth + 1, how)).append(begin(depth + 1, member.action, how));
    out.append(padded(names[i], width)).append(" = ");
    out.append(draw(member, depth + 1, inner)).append("\n");
  }
  if (unchanged > 0)
    out.append(begin(depth + 1, action::none, how))
        .append(hidden("attribute", unchanged))
        .append("\n");
  return out.append(begin(depth, action::none, how))
      .append("}")
      .append(null_suffix(all.action, how));
}

std::string drawer::draw_map(const change& all, const map_change& c, std::size_t depth,
                             drawing how) const {
  // The elements of a nested map say in its place that they force replacement.
  drawing inner = how;
  inner.no_null_suffix = c.nested || all.action == action::remove;
  inner.forced = c.nested && (all.forces_replacement || how.forced);
  const std::string forced = forces(all, how);
  if (c.elements.empty()) return "{}" + null_suffix(all.action, how) + (c.nested ? "" : forced);
  std::size_t width = 0;
  if (!c.nested) {
    for (const change& each : c.elements) width = std::max(width, text::quoted(each.key).size());
  }
  std::string out = "{" + (c.nested ? "" : forced) + "\n";
  std::size_t unchanged = 0;
  for (const change& each : c.elements) {
    if (each.action == action::none && !how.show_unchanged) {
      ++unchanged;
      continue;
    }
    out.append(warning(each, depth + 1, how)).append(begin(depth + 1, each.action, how));
    out.append(padded(text::quoted(each.key), width)).append(" = ");
    out.append(draw(each, depth + 1, inner));
    if (std::holds_alternative<object_change>(each.what)) out.append(",");
    out.append("\n");
  }
  if (unchanged > 0)
    out.append(begin(depth + 1, action::none, how))
        .append(hidden("element", unchanged))
        .append("\n");
  return out.append(begin(depth, action::none, how))
      .append("}")
      .append(null_suffix(all.action, how));
}

std::string drawer::draw_list(const change& all, const list_change& c, std::size_t depth,
                              drawing how) const {
  if (c.elements.empty()) return "[]" + null_suffix(all.action, how) + forces(all, how);
  drawing whole = how;
  whole.no_null_suffix = true;
  whole.forced = false;
  const drawing inner = whole;
  whole.show_unchanged = true;
  std::string out = "[" + forces(all, how) + "\n";
  const auto append = [&](const change& element, drawing as) {
    out.append(begin(depth + 1, element.action, how))
        .append(draw(element, depth + 1, as))
        .append(",\n");
  };
  const auto append_hidden = [&](std::size_t count) {
    out.append(begin(depth + 1, action::none, how)).append(hidden("element", count)).append("\n");
  };
  // The elements around a changed one are shown in full, for the place matters in a list.
  const change* passed_over = nullptr;
  std::size_t unchanged = 0;
  bool next_too = false;
  for (const change& element : c.elements) {
    if (element.action == action::none && !next_too && !how.show_unchanged) {
      passed_over = &element;
      ++unchanged;
      continue;
    }
    if (c.nested) {
      out.append(warning(element, depth + 1, how));
      append(element, inner);
      continue;
    }
    if (unchanged > 1) append_hidden(unchanged - 1);
    if (unchanged > 0) append(*passed_over, whole);
    unchanged = 0;
    next_too = element.action != action::none;
    out.append(warning(element, depth + 1, how));
    append(element, next_too ? inner : whole);
  }
  if (unchanged > 0) append_hidden(unchanged);
  return out.append(begin(depth, action::none, how))
      .append("]")
      .append(null_suffix(all.action, how));
}

std::string drawer::draw_set(const change& all, const set_change& c, std::size_t depth,
                             drawing how) const {
  const std::string forced = forces(all, how);
  if (c.elements.empty()) return "[]" + null_suffix(all.action, how) + (c.nested ? "" : forced);
  drawing inner = how;
  inner.no_null_suffix = true;
  inner.forced = c.nested && (all.forces_replacement || how.forced);
  std::string out = "[" + (c.nested ? "" : forced) + "\n";
  std::size_t unchanged = 0;
  for (const change& element : c.elements) {
    if (element.action == action::none && !how.show_unchanged) {
      ++unchanged;
      continue;
    }
    out.append(warning(element, depth + 1, how)).append(begin(depth + 1, element.action, how));
    out.append(draw(element, depth + 1, inner)).append(",\n");
  }
  if (unchanged > 0)
    out.append(begin(depth + 1, action::none, how))
        .append(hidden("element", unchanged))
        .append("\n");
  return out.append(begin(depth, action::none, how))
      .append("]")
      .append(null_suffix(all.action, how));
}

std::string drawer::draw_unknown(const change& all, const unknown_change& c, std::size_t depth,
                                 drawing how) const {
  if (c.before == nullptr) return "(known after apply)" + forces(all, how);
  drawing inner = how;
  inner.no_null_suffix = true;
  return draw(*c.before, depth, inner) + " -> (known after apply)" + forces(all, how);
}

std::string drawer::draw_sensitive(const change& all, const sensitive_change& c, std::size_t depth,
                                   drawing how) const {
  if (!c.is_block) return "(sensitive value)" + null_suffix(all.action, how) + forces(all, how);
  std::string out = "{" + forces(all, how) + "\n";
  const std::string start = indent(depth) + (how.no_signs ? "  # " : "      # ");
  out.append(start).append("At least one attribute in this block is (or was) sensitive,\n");
  out.append(start).append("so its contents will not be displayed.\n");
  return out.append(begin(depth, action::none, how)).append("}");
}

std::string drawer::draw_type(const type_change& c, std::size_t depth, drawing how) const {
  drawing inner = how;
  inner.no_null_suffix = true;
  inner.forced = false;
  return draw(*c.before, depth, inner) + arrow() + draw(*c.after, depth, inner);
}

}  // namespace tofud::diff
