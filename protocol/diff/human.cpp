#include "protocol/diff/human.hpp"

#include "protocol/render/characters.hpp"

#include <algorithm>
#include <optional>

namespace tofud::diff {
namespace {

using json::value;
using render::ink;
using render::style;

bool is_nil(value v) { return !v || v.is(json::kind::null); }

std::string indent(std::size_t depth) { return std::string(4 * depth, ' '); }

// Attributes that tell which object it is are shown even if they do not change.
bool tells_which(std::string_view key) { return key == "id" || key == "name" || key == "tags"; }

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

// The object or array that `text` begins with, up to its last bracket; empty if there is none.
// What stands behind it does not matter to OpenTofu.
std::string_view leading_json(std::string_view text) {
  if (!text.starts_with('{') && !text.starts_with('[')) return {};
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return text.substr(0, i + 1);
    }
  }
  return {};
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

struct options {
  bool no_null_suffix = false, show_unchanged = false;
};

// A string as it is shown: JSON inside it counts for more than its newlines.
struct shown_text {
  explicit shown_text(value from) : parser{everything} {
    if (is_nil(from)) {
      null = true;
      return;
    }
    text = from.text();
    const std::string_view found = leading_json(text);
    if (!found.empty() && !parser.parse(found) && worth_drawing({parser.root(), {}, {}, {}, {}})) {
      inside = parser.root();
      return;
    }
    if (text.find('\n') == std::string_view::npos) return;
    long_text = true;
    text = render::trim(text);
  }

  json::document_parser parser;
  value inside;
  std::string_view text;
  bool null = false, long_text = false;
};

class drawer {
 public:
  drawer(const ink& pen, const text_filter& filter) : pen_{pen}, filter_{filter} {}

  std::string draw(const change& all, std::size_t depth, options how) const {
    struct visitor {
      const drawer& self;
      const change& all;
      std::size_t depth;
      options how;

      std::string operator()(const primitive_change& c) const {
        return c.is_text ? self.draw_text(all, c, depth, how) : self.draw_simple(all, c, how);
      }
      std::string operator()(const object_change& c) const {
        return self.draw_object(all, c, depth, how);
      }
      std::string operator()(const list_change& c) const {
        return self.draw_list(all, c, depth, how);
      }
      std::string operator()(const unknown_change& c) const {
        if (c.before == nullptr) return "(known after apply)";
        options inner = how;
        inner.no_null_suffix = true;
        return self.draw(*c.before, depth, inner) + " -> (known after apply)";
      }
      std::string operator()(const sensitive_change&) const {
        return "(sensitive value)" + self.null_suffix(all.action, how);
      }
      std::string operator()(const type_change& c) const {
        options inner = how;
        inner.no_null_suffix = true;
        return self.draw(*c.before, depth, inner) + self.arrow() +
               self.draw(*c.after, depth, inner);
      }
    };
    return std::visit(visitor{*this, all, depth, how}, all.what);
  }

 private:
  // A piece in colour, and the end of the phrase it makes up.
  std::string phrase(style colour, std::string_view text) const {
    std::string out{pen_[colour]};
    return out.append(text).append(pen_[style::reset]).append(pen_[style::reset]);
  }
  std::string null() const { return phrase(style::dark_gray, "null"); }
  std::string arrow() const { return " " + phrase(style::yellow, "->") + " "; }
  std::string null_suffix(action done, options how) const {
    if (how.no_null_suffix || done != action::remove) return "";
    return " " + phrase(style::dark_gray, "-> null");
  }
  std::string sign(action done) const {
    switch (done) {
      case action::create:
        return "  " + phrase(style::green, "+") + " ";
      case action::update:
        return "  " + phrase(style::yellow, "~") + " ";
      case action::remove:
        return "  " + phrase(style::red, "-") + " ";
      case action::none:
        break;
    }
    return indent(1);
  }
  // How a line inside of something begins.
  std::string begin(std::size_t depth, action done) const { return indent(depth) + sign(done); }

  std::string hidden(std::string_view noun, std::size_t count) const {
    return phrase(style::dark_gray, "# (" + std::to_string(count) + " unchanged " +
                                        std::string{noun} + (count == 1 ? "" : "s") + " hidden)");
  }

  // What is said above a value whose sensitivity changes.
  std::string warning(const change& all, std::size_t depth) const {
    const auto* sensitive = std::get_if<sensitive_change>(&all.what);
    if (sensitive == nullptr || sensitive->before == sensitive->after) return "";
    if (sensitive->inner == action::create || sensitive->inner == action::remove) return "";
    std::string out = indent(depth) + "  # ";
    out.append(pen_[style::yellow]).append("Warning").append(pen_[style::reset]);
    const std::string second = "\n" + indent(depth) + "  # ";
    if (sensitive->before) {
      out.append(": this attribute value will no longer be marked as sensitive").append(second);
      out.append("after applying this change.");
    } else {
      out.append(": this attribute value will be marked as sensitive and will not").append(second);
      out.append("display in UI output after applying this change.");
    }
    out.append(pen_[style::reset]);
    if (sensitive->inner == action::none) out.append(" The value is unchanged.");
    return out.append("\n");
  }

  std::string simple(value of) const {
    if (is_nil(of)) return null();
    if (of.is(json::kind::boolean_true)) return "true";
    if (of.is(json::kind::boolean_false)) return "false";
    return std::string{of.text()};
  }

  std::string draw_simple(const change& all, const primitive_change& c, options how) const {
    switch (all.action) {
      case action::create:
        return simple(c.after);
      case action::remove:
        return simple(c.before) + null_suffix(all.action, how);
      case action::none:
        return simple(c.before);
      case action::update:
        break;
    }
    return simple(c.before) + arrow() + simple(c.after);
  }

  std::string short_text(const shown_text& text) const {
    return text.null ? null() : render::quoted(text.text);
  }

  std::string draw_text(const change& all, const primitive_change& c, std::size_t depth,
                        options how) const {
    if (all.action == action::update) return draw_changed_text(all, c, depth, how);
    const bool gone = all.action == action::remove;
    const shown_text text{gone ? c.before : c.after};
    if (text.null) return null();
    if (text.inside) {
      const value before = all.action == action::create ? value{} : text.inside;
      return draw_json(all, before, gone ? value{} : text.inside, depth, how);
    }
    if (!text.long_text) return short_text(text) + null_suffix(all.action, how);
    std::string lines;
    for (const std::string_view line : lines_of(text.text))
      append_line(lines, depth, action::none, line);
    return document(lines, all.action, depth, how);
  }

  std::string draw_changed_text(const change& all, const primitive_change& c, std::size_t depth,
                                options how) const {
    const shown_text before{c.before}, after{c.after};
    if (before.inside && after.inside)
      return draw_json(all, before.inside, after.inside, depth, how);
    if (before.inside || after.inside) {
      options inner = how;
      inner.no_null_suffix = true;
      const primitive_change old{c.before, {}, true}, fresh{{}, c.after, true};
      return draw_text({action::remove, {}}, old, depth, inner) + arrow() +
             draw_text({action::create, {}}, fresh, depth, inner);
    }
    if (!before.long_text && !after.long_text)
      return short_text(before) + arrow() + short_text(after);
    const std::string nothing = null();
    const auto old = lines_of(before.null ? std::string_view{nothing} : before.text);
    const auto fresh = lines_of(after.null ? std::string_view{nothing} : after.text);
    std::string lines;
    pair_elements(
        old.size(), fresh.size(), [&](std::size_t i, std::size_t k) { return old[i] == fresh[k]; },
        [](std::size_t, std::size_t) { return false; },
        [&](std::size_t i, std::size_t k) {
          if (i >= old.size())
            append_line(lines, depth, action::create, fresh[k]);
          else
            append_line(lines, depth, k >= fresh.size() ? action::remove : action::none, old[i]);
        });
    return document(lines, all.action, depth, how);
  }

  void append_line(std::string& lines, std::size_t depth, action done,
                   std::string_view line) const {
    lines.append(begin(depth + 1, done));
    lines.append(filter_ && line != null() ? filter_(line) : std::string{line}).append("\n");
  }

  std::string document(const std::string& lines, action done, std::size_t depth,
                       options how) const {
    return "<<-EOT\n" + lines + begin(depth, action::none) + "EOT" + null_suffix(done, how);
  }

  std::string draw_json(const change& all, value before, value after, std::size_t depth,
                        options how) const {
    sides between{before, after, {}, {}, {}};
    between.before_explicit = all.action != action::create;
    between.after_explicit = all.action != action::remove;
    const change inside = compute(between);
    options inner = how;
    inner.no_null_suffix = true;
    action done = all.action == action::update ? action::update : action::none;
    std::string_view remark;
    if (inside.action == action::none && all.action == action::update) {
      remark = " # whitespace changes";
      inner.show_unchanged = true;
      done = action::none;
    }
    const std::string drawn = draw(inside, depth + 1, inner);
    std::string out = "jsonencode(";
    if (drawn.find('\n') == std::string::npos) return out.append(drawn).append(")").append(remark);
    out.append(remark).append("\n").append(begin(depth + 1, done)).append(drawn).append("\n");
    return out.append(begin(depth, action::none)).append(")").append(null_suffix(all.action, how));
  }

  std::string draw_object(const change& all, const object_change& c, std::size_t depth,
                          options how) const {
    if (c.members.empty()) return "{}" + null_suffix(all.action, how);
    std::vector<std::string> names;
    std::size_t width = 0;  // in bytes, though it is characters that are counted to fill it
    for (const change& member : c.members) {
      names.push_back(render::is_identifier(member.key) ? std::string{member.key}
                                                        : render::quoted(member.key));
      width = std::max(width, names.back().size());
    }
    std::string out = "{\n";
    std::size_t unchanged = 0;
    for (std::size_t i = 0; i < c.members.size(); ++i) {
      const change& member = c.members[i];
      options inner = how;
      inner.no_null_suffix = true;
      if (tells_which(member.key)) {
        inner.show_unchanged = true;
      } else if (member.action == action::none && !how.show_unchanged) {
        ++unchanged;
        continue;
      }
      out.append(warning(member, depth + 1)).append(begin(depth + 1, member.action));
      const std::size_t length = render::count_characters(names[i]);
      out.append(names[i]).append(width - std::min(width, length), ' ');
      out.append(" = ").append(draw(member, depth + 1, inner)).append("\n");
    }
    if (unchanged > 0)
      out.append(begin(depth + 1, action::none))
          .append(hidden("attribute", unchanged))
          .append("\n");
    return out.append(begin(depth, action::none)).append("}").append(null_suffix(all.action, how));
  }

  // The elements around a changed one are shown in full, for the place matters in a list.
  std::string draw_list(const change& all, const list_change& c, std::size_t depth,
                        options how) const {
    if (c.elements.empty()) return "[]" + null_suffix(all.action, how);
    options whole = how;
    whole.show_unchanged = true;
    options inner = how;
    inner.no_null_suffix = true;
    std::string out = "[\n";
    const auto append = [&](const change& element, options as) {
      out.append(begin(depth + 1, element.action))
          .append(draw(element, depth + 1, as))
          .append(",\n");
    };
    const auto append_hidden = [&](std::size_t count) {
      out.append(begin(depth + 1, action::none)).append(hidden("element", count)).append("\n");
    };
    const change* passed_over = nullptr;
    std::size_t unchanged = 0;
    bool next_too = false;
    for (const change& element : c.elements) {
      if (element.action == action::none && !next_too && !how.show_unchanged) {
        passed_over = &element;
        ++unchanged;
        continue;
      }
      if (unchanged > 1) append_hidden(unchanged - 1);
      if (unchanged > 0) append(*passed_over, whole);
      unchanged = 0;
      next_too = element.action != action::none;
      out.append(warning(element, depth + 1));
      append(element, next_too ? inner : whole);
    }
    if (unchanged > 0) append_hidden(unchanged);
    return out.append(begin(depth, action::none)).append("]").append(null_suffix(all.action, how));
  }

  const ink& pen_;
  const text_filter& filter_;
};

}  // namespace

std::string draw(const change& change, const render::ink& pen, const text_filter& filter) {
  return drawer{pen, filter}.draw(change, 0, {});
}

}  // namespace tofud::diff
