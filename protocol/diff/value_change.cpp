#include "protocol/diff/value_change.hpp"

#include "protocol/diff/pairing.hpp"
#include "protocol/diff/shared_lines.hpp"
#include "protocol/diff/value_numbers.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace tofud::diff {
namespace {

using json::kind;
using json::value;

kind type_of(value v) {
  if (!v) return kind::null;
  if (v.is(kind::boolean_false)) return kind::boolean_true;
  for (const kind each :
       {kind::object, kind::array, kind::string, kind::number, kind::boolean_true}) {
    if (v.is(each)) return each;
  }
  return kind::null;
}

change of_object(const sides& between) {
  const object_sides inside{between};
  change made;
  made.action = of_whole(between);
  object_change object;
  for (const std::string_view key : inside.keys(object_sides::keys_of::marks_too)) {
    change member = compute(only_relevant(inside.child(key)));
    member.key = key;
    made.action = with_part(made.action, member.action);
    object.members.push_back(std::move(member));
  }
  made.what = std::move(object);
  return made;
}

change of_list(const sides& between) {
  const list_sides inside{between};
  const auto& before = inside.before();
  const auto& after = inside.after();
  change made;
  made.action = of_whole(between);
  list_change list;
  value_numbers numbers;
  const auto before_numbers = numbers.of_all(before), after_numbers = numbers.of_all(after);
  shared_lines lines{before, after};
  pair_elements(
      before_numbers, after_numbers,
      [&](std::size_t i, std::size_t k) {
        return (before[i].is(kind::object) && after[k].is(kind::object)) || lines.are_in(i, k);
      },
      [&](std::size_t i, std::size_t k) {
        list.elements.push_back(compute(inside.child(i, k)));
        made.action = with_part(made.action, list.elements.back().action);
      },
      between.by_position);
  made.what = std::move(list);
  return made;
}

change of_type(const sides& between, kind type) {
  switch (type) {
    case kind::object:
      return of_object(between);
    case kind::array:
      return of_list(between);
    default:
      return of_primitive(between, type == kind::string);
  }
}

change of_shape(const sides& between) {
  const kind before = type_of(between.before), after = type_of(between.after);
  const bool created = before == kind::null && !between.before_explicit;
  const bool removed = after == kind::null && !between.after_explicit;
  if (before == after || created || removed) {
    return of_type(between, before == kind::null ? after : before);
  }
  change made;
  made.action = action::update;
  type_change both;
  both.before = std::make_unique<change>(of_type(as_removed(between), before));
  both.after = std::make_unique<change>(of_type(as_created(between), after));
  made.what = std::move(both);
  return made;
}

// Room that a value takes when drawn in full; more than there is if it holds a list too long.
std::size_t drawn_size(value v, std::size_t depth, const room& within) {
  constexpr std::size_t columns = 4;  // an indent
  constexpr std::size_t around = 16;  // signs, quotes, a comma
  if (is_nil(v)) return around;
  std::size_t size = columns * depth + around + v.key().size() + v.text().size();
  std::size_t elements = 0;
  for (const value each : v) {
    size += drawn_size(each, depth + 1, within);
    if (size > within.bytes) return size;
    ++elements;
  }
  if (v.is(kind::string)) {
    const std::string_view text = v.text();
    elements = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    size += elements * columns * (depth + 1);
  }
  return elements > within.elements ? within.bytes + 1 : size;
}

}  // namespace

change of_primitive(const sides& between, bool is_text) {
  const bool no_before = is_nil(between.before) && !between.before_explicit;
  const bool no_after = is_nil(between.after) && !between.after_explicit;
  change made;
  if (no_before != no_after)
    made.action = no_before ? action::create : action::remove;
  else
    made.action = equal(between.before, between.after) ? action::none : action::update;
  is_text = is_text || between.before.is(kind::string) || between.after.is(kind::string);
  made.what = primitive_change{between.before, between.after, is_text};
  made.forces_replacement = between.replace.end_here();
  return made;
}

change compute(const sides& given) {
  sides between = given;
  between.replace = {};
  // Without a type a null says nothing of what comes in its place.
  if (is_nil(between.before) && is_true(between.unknown)) between.before_explicit = false;
  return with_marks(between, of_shape);
}

bool worth_drawing(const sides& between, const room& within) {
  std::size_t size = 0;
  for (const value each : {between.before, between.after, between.unknown, between.before_sensitive,
                           between.after_sensitive}) {
    size += drawn_size(each, 1, within);
    if (size > within.bytes) return false;
  }
  return true;
}

}  // namespace tofud::diff
