// Strings: JSON in them, texts of several lines, and all others.
#include "protocol/diff/drawer.hpp"
#include "protocol/diff/pairing.hpp"
#include "protocol/diff/value_change.hpp"
#include "protocol/text/characters.hpp"

#include <cstdint>
#include <unordered_map>

namespace tofud::diff {
namespace {

using json::value;

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

// A string as it is shown: JSON inside it counts for more than its newlines.
struct shown_text {
  shown_text(value from, const room& for_json) : parser{json::keep_everything} {
    if (is_nil(from)) {
      null = true;
      return;
    }
    text = from.text();
    const std::string_view found = leading_json(text);
    if (!found.empty() && !parser.parse(found) &&
        worth_drawing({parser.root(), {}, {}, {}, {}}, for_json)) {
      inside = parser.root();
      return;
    }
    if (text.find('\n') == std::string_view::npos) return;
    long_text = true;
    text = text::trim(text);
  }

  json::document_parser parser;
  value inside;
  std::string_view text;
  bool null = false, long_text = false;
};

}  // namespace

std::string drawer::draw_text(const change& all, const primitive_change& c, std::size_t depth,
                              drawing how) const {
  if (all.action == action::update) return draw_changed_text(all, c, depth, how);
  const bool gone = all.action == action::remove;
  const shown_text shown{gone ? c.before : c.after, json_room_};
  if (shown.null) return null() + forces(all, how);
  if (shown.inside) {
    const value before = all.action == action::create ? value{} : shown.inside;
    return draw_json(all, before, gone ? value{} : shown.inside, depth, how);
  }
  if (!shown.long_text)
    return text::quoted(shown.text) + null_suffix(all.action, how) + forces(all, how);
  std::string lines;
  for (const std::string_view line : lines_of(shown.text))
    append_line(lines, depth, action::none, line, how);
  return document(lines, all, depth, how);
}

std::string drawer::draw_changed_text(const change& all, const primitive_change& c,
                                      std::size_t depth, drawing how) const {
  const shown_text before{c.before, json_room_}, after{c.after, json_room_};
  if (before.inside && after.inside) return draw_json(all, before.inside, after.inside, depth, how);
  if (before.inside || after.inside) {
    drawing inner = how;
    inner.no_null_suffix = true;
    inner.forced = false;
    const primitive_change old{c.before, {}, true}, fresh{{}, c.after, true};
    return draw_text({action::remove, {}}, old, depth, inner) + arrow() +
           draw_text({action::create, {}}, fresh, depth, inner);
  }
  if (!before.long_text && !after.long_text) {
    const auto short_text = [&](const shown_text& of) {
      return of.null ? null() : text::quoted(of.text);
    };
    return short_text(before) + arrow() + short_text(after) + forces(all, how);
  }
  const std::string nothing = null();
  const auto old = lines_of(before.null ? std::string_view{nothing} : before.text);
  const auto fresh = lines_of(after.null ? std::string_view{nothing} : after.text);
  std::string lines;
  std::unordered_map<std::string_view, std::uint32_t> known;
  const auto numbers_of = [&known](const std::vector<std::string_view>& from) {
    std::vector<std::uint32_t> numbers;
    for (const std::string_view line : from) {
      const auto next = static_cast<std::uint32_t>(known.size());
      numbers.push_back(known.try_emplace(line, next).first->second);
    }
    return numbers;
  };
  const auto before_numbers = numbers_of(old), after_numbers = numbers_of(fresh);
  pair_elements(
      before_numbers, after_numbers, [](std::size_t, std::size_t) { return false; },
      [&](std::size_t i, std::size_t k) {
        if (i >= old.size())
          append_line(lines, depth, action::create, fresh[k], how);
        else
          append_line(lines, depth, k >= fresh.size() ? action::remove : action::none, old[i], how);
      });
  return document(lines, all, depth, how);
}

void drawer::append_line(std::string& lines, std::size_t depth, action done, std::string_view line,
                         drawing how) const {
  lines.append(begin(depth + 1, done, how));
  lines.append(line == null() ? std::string{line} : text(line)).append("\n");
}

std::string drawer::document(const std::string& lines, const change& all, std::size_t depth,
                             drawing how) const {
  return "<<-EOT" + forces(all, how) + "\n" + lines + begin(depth, action::none, how) + "EOT" +
         null_suffix(all.action, how);
}

std::string drawer::draw_json(const change& all, value before, value after, std::size_t depth,
                              drawing how) const {
  sides between{before, after, {}, {}, {}};
  between.before_explicit = all.action != action::create;
  between.after_explicit = all.action != action::remove;
  const change inside = compute(between);
  drawing inner = how;
  inner.no_null_suffix = true;
  inner.forced = false;
  action done = all.action == action::update ? action::update : action::none;
  std::string_view remark;
  std::string replaces;
  if (inside.action == action::none && all.action == action::update) {
    remark = all.forces_replacement || how.forced ? " # whitespace changes force replacement"
                                                  : " # whitespace changes";
    inner.show_unchanged = true;
    done = action::none;
  } else {
    replaces = forces(all, how);
  }
  const std::string drawn = draw(inside, depth + 1, inner);
  std::string out = "jsonencode(";
  if (drawn.find('\n') == std::string::npos)
    return out.append(drawn).append(")").append(remark).append(replaces);
  out.append(remark).append("\n").append(begin(depth + 1, done, how)).append(drawn);
  out.append(replaces).append("\n");
  return out.append(begin(depth, action::none, how))
      .append(")")
      .append(null_suffix(all.action, how));
}

}  // namespace tofud::diff
