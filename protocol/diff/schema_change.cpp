#include "protocol/diff/schema_change.hpp"

#include "protocol/diff/pairing.hpp"
#include "protocol/diff/set_pairing.hpp"
#include "protocol/diff/shared_lines.hpp"
#include "protocol/diff/value_change.hpp"
#include "protocol/diff/value_numbers.hpp"

#include <algorithm>
#include <utility>

namespace tofud::diff {
namespace {

using json::kind;
using json::value;
using type_kind = schema::type::kind;

/// Where elements are paired their places say nothing: if any of them matters, all do.
sides as_relevant(sides between) {
  between.relevant = attribute_paths::everywhere();
  return between;
}

/// Attributes are never null by intent.
sides as_implicit(sides between) {
  between.before_explicit = between.after_explicit = false;
  return between;
}

bool is_nothing(const change& made, const sides& between) {
  return made.action == action::none && is_nil(between.before) && is_nil(between.after);
}

// Whether both sides are null or of that kind; what a provider or a plan says may be wrong.
bool fits(const sides& between, kind wanted) {
  return (is_nil(between.before) || between.before.is(wanted)) &&
         (is_nil(between.after) || between.after.is(wanted));
}

bool is_container(value v) { return v.is(kind::object) || v.is(kind::array); }

void sort_by_key(std::vector<change>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const change& a, const change& b) { return a.key < b.key; });
}

// A container made of parts: its action follows theirs.
struct whole {
  explicit whole(const sides& between) {
    made.action = of_whole(between);
    made.forces_replacement = between.replace.end_here();
  }
  void add(std::vector<change>& to, change part) {
    made.action = with_part(made.action, part.action);
    to.push_back(std::move(part));
  }
  change made;
};

// `least`: so many there are in any case.
template <class Part>
change by_index(const sides& between, bool nested, std::size_t least, const Part& part) {
  const list_sides inside{between};
  whole all{between};
  list_change list;
  list.nested = nested;
  const std::size_t count = std::max({inside.before().size(), inside.after().size(), least});
  for (std::size_t i = 0; i < count; ++i)
    all.add(list.elements, part(i, only_relevant(inside.child(i, i))));
  all.made.what = std::move(list);
  return std::move(all.made);
}

template <class Part>
change by_common_elements(const sides& between, const schema::type& element, const Part& part) {
  const list_sides inside{between};
  whole all{between};
  list_change list;
  value_numbers numbers;
  const auto before = numbers.of_all(inside.before()), after = numbers.of_all(inside.after());
  shared_lines lines{inside.before(), inside.after()};
  pair_elements(
      before, after,
      [&](std::size_t i, std::size_t k) {
        return element.what == type_kind::object || lines.are_in(i, k);
      },
      [&](std::size_t i, std::size_t k) {
        all.add(list.elements, part(as_relevant(inside.child(i, k))));
      },
      between.by_position);
  all.made.what = std::move(list);
  return std::move(all.made);
}

template <class Part>
change as_set(const sides& between, bool nested, const Part& part) {
  const list_sides inside{between};
  whole all{between};
  set_change set;
  set.nested = nested;
  pair_set(inside, [&](std::size_t i, std::size_t k) {
    all.add(set.elements, part(as_relevant(inside.child(i, k))));
  });
  all.made.what = std::move(set);
  return std::move(all.made);
}

template <class Part>
change by_key(const sides& between, bool nested, const Part& part) {
  const object_sides inside{between};
  whole all{between};
  map_change map;
  map.nested = nested;
  const auto which = nested ? object_sides::keys_of::values : object_sides::keys_of::marks_too;
  for (const std::string_view key : inside.keys(which)) {
    change element = part(key, only_relevant(inside.child(key)));
    element.key = key;
    all.add(map.elements, std::move(element));
  }
  all.made.what = std::move(map);
  return std::move(all.made);
}

change of_type(const sides& between, const schema::type& of);

change of_plain_object(const sides& between, const schema::type& of) {
  const object_sides inside{between};
  whole all{between};
  object_change object;
  for (const schema::type::member& each : of.members) {
    const sides child = as_implicit(only_relevant(inside.child(each.name)));
    change member = compute(child, each.of);
    if (is_nothing(member, child)) continue;
    member.key = each.name;
    all.add(object.members, std::move(member));
  }
  all.made.what = std::move(object);
  return std::move(all.made);
}

change of_tuple(const sides& between, const schema::type& of) {
  static const schema::type anything;
  return by_index(between, false, of.elements.size(), [&](std::size_t i, const sides& child) {
    return compute(child, i < of.elements.size() ? of.elements[i] : anything);
  });
}

change of_container(const sides& between, const schema::type& of) {
  if (of.what == type_kind::object) return of_plain_object(between, of);
  if (of.what == type_kind::tuple) return of_tuple(between, of);
  const schema::type& element = of.elements.front();
  const auto part = [&](const sides& child) { return compute(child, element); };
  if (of.what == type_kind::list) return by_common_elements(between, element, part);
  if (of.what == type_kind::set) return as_set(between, false, part);
  return by_key(between, false, [&](std::string_view, const sides& child) { return part(child); });
}

change of_type(const sides& between, const schema::type& of) {
  switch (of.what) {
    case type_kind::dynamic:
      break;
    case type_kind::boolean:
    case type_kind::number:
    case type_kind::string:
      if (is_container(between.before) || is_container(between.after)) break;
      if (!is_nil(between.before) && !is_nil(between.after) &&
          between.before.is(kind::string) != between.after.is(kind::string))
        break;
      return of_primitive(between, of.what == type_kind::string);
    case type_kind::list:
    case type_kind::set:
      if (!fits(between, kind::array) || of.elements.empty()) break;
      return of_container(between, of);
    case type_kind::tuple:
      if (!fits(between, kind::array)) break;
      return of_container(between, of);
    case type_kind::map:
      if (!fits(between, kind::object) || of.elements.empty()) break;
      return of_container(between, of);
    case type_kind::object:
      if (!fits(between, kind::object)) break;
      return of_container(between, of);
  }
  return compute(between);
}

class differ {
 public:
  differ(sensitivity marks, unknown_blocks unknown) : marks_{marks}, unknown_{unknown} {}

  change block(sides between, const schema::block& of) const {
    between.is_block = true;
    return with_marks(between, [&](const sides& inner) { return body(inner, of); });
  }

 private:
  sides marked(sides between, const schema::attribute& of) const {
    if (of.sensitive && marks_ == sensitivity::plan_and_schema) between.marked_sensitive = true;
    return between;
  }

  change attribute(const sides& given, const schema::attribute& of) const {
    const sides between = marked(given, of);
    if (!of.nested) return compute(between, of.type);
    return with_marks(between, [&](const sides& inner) { return nested(inner, *of.nested); });
  }

  // An attribute with attributes: of any mode.
  change nested(const sides& between, const schema::nested_attributes& of) const {
    const bool many = of.nesting == schema::nesting::list || of.nesting == schema::nesting::set;
    if (!fits(between, many ? kind::array : kind::object)) return compute(between);
    const auto element = [&](const sides& child) {
      return with_marks(child, [&](const sides& inner) { return nested_object(inner, of); });
    };
    switch (of.nesting) {
      case schema::nesting::list:
        return by_index(between, true, 0,
                        [&](std::size_t, const sides& child) { return element(child); });
      case schema::nesting::set:
        return as_set(between, true, element);
      case schema::nesting::map:
        return by_key(between, true, [&](std::string_view key, sides child) {
          // Of a map that becomes unknown OpenTofu takes the attributes' names for keys, too.
          child.all_unknown = between.was_unknown && child.relevant.meet() &&
                              find_attribute(of.attributes, key) != nullptr;
          return element(child);
        });
      case schema::nesting::single:
      case schema::nesting::group:
        break;
    }
    return nested_object(between, of);
  }

  change nested_object(sides between, const schema::nested_attributes& of) const {
    if (!fits(between, kind::object)) return compute(between);
    between.children_unknown = between.was_unknown;
    whole all{between};
    object_change object;
    object.nested = true;
    attributes(between, of.attributes, all, object.members, empty_text::counts);
    all.made.what = std::move(object);
    return std::move(all.made);
  }

  /// Older providers can't tell an empty string from null, so that in a block it is one.
  enum class empty_text : bool { counts, is_null };

  void attributes(const sides& between, const std::vector<schema::attribute>& of, whole& all,
                  std::vector<change>& to, empty_text empty) const {
    const object_sides inside{between};
    const auto one = [&](const schema::attribute& each) {
      if (each.write_only) return;
      sides child = as_implicit(only_relevant(inside.child(each.name)));
      if (empty == empty_text::is_null) {
        for (value* side : {&child.before, &child.after})
          if (side->string() == std::string_view{}) *side = {};
      }
      change made = attribute(child, each);
      if (is_nothing(made, child)) return;
      made.key = each.name;
      made.known = &each;
      all.add(to, std::move(made));
    };
    if (between.children_unknown) {
      for (const schema::attribute& each : of) one(each);
    } else {
      // Nothing is to be seen of those that no side has: a type may have many attributes, and a
      // plan many resources of that type.
      for (const std::string_view key : inside.keys(object_sides::keys_of::marks_too))
        if (const schema::attribute* known = find_attribute(of, key)) one(*known);
    }
    write_only(inside, of, all, to, empty);
    sort_by_key(to);
  }

  // They come last: nothing is known but that what they are in changes. In an object that does not
  // change they are not even counted.
  static void write_only(const object_sides& inside, const std::vector<schema::attribute>& of,
                         whole& all, std::vector<change>& to, empty_text in) {
    for (const schema::attribute& each : of) {
      if (!each.write_only) continue;
      const sides child = inside.child(each.name);
      change made;
      made.key = each.name;
      made.what = write_only_change{};
      made.action = all.made.action;
      made.forces_replacement = child.replace.end_here();
      if (made.action == action::none && made.forces_replacement) made.action = action::update;
      if (in == empty_text::counts && is_nothing(made, child)) continue;
      all.add(to, std::move(made));
    }
  }

  change body(sides between, const schema::block& of) const {
    between.children_unknown = between.was_unknown;
    whole all{between};
    block_change made;
    attributes(between, of.attributes, all, made.attributes, empty_text::is_null);
    const object_sides inside{between};
    for (const schema::block_type& each : of.blocks) {
      sides child = only_relevant(inside.child(each.name));
      child.all_unknown = false;  // of a block that is unknown only the attributes become so
      const bool around = unknown_ == unknown_blocks::by_schema_around && is_true(child.unknown);
      add_group(child, each, around ? of : each.block, all, made.groups);
    }
    all.made.what = std::move(made);
    return std::move(all.made);
  }

  /// `unknown_as`: what it is shown by if it is unknown as a whole.
  void add_group(const sides& between, const schema::block_type& of,
                 const schema::block& unknown_as, whole& all, std::vector<block_group>& to) const {
    block_group group;
    group.name = of.name;
    group.known = &of;
    const action done = instances(between, of, unknown_as, group);
    if (done == action::none && is_nil(between.before) && is_nil(between.after)) return;
    // OpenTofu does not count it as a change of what is around it that a whole group is unknown.
    if (!is_true(between.unknown)) all.made.action = with_part(all.made.action, done);
    to.push_back(std::move(group));
  }

  action instances(const sides& between, const schema::block_type& of,
                   const schema::block& unknown_as, block_group& group) const {
    const bool single =
        of.nesting == schema::nesting::single || of.nesting == schema::nesting::group;
    if (single || is_true(between.unknown)) {
      group.instances.push_back(block(between, unknown_as));
      return group.instances.back().action;
    }
    group.before_sensitive = is_true(between.before_sensitive);
    group.after_sensitive = is_true(between.after_sensitive);
    group.forces_replacement = between.replace.end_here();
    change made = blocks(between, of);
    const action done = made.action;
    if (auto* list = std::get_if<list_change>(&made.what))
      group.instances = std::move(list->elements);
    else if (auto* set = std::get_if<set_change>(&made.what))
      group.instances = std::move(set->elements);
    else if (auto* map = std::get_if<map_change>(&made.what))
      group.instances = std::move(map->elements);
    group.labelled = of.nesting == schema::nesting::map;
    return done;
  }

  change blocks(const sides& between, const schema::block_type& of) const {
    const auto part = [&](const sides& child) { return block(child, of.block); };
    if (of.nesting == schema::nesting::set) return as_set(between, true, part);
    if (of.nesting == schema::nesting::map)
      return by_key(between, true,
                    [&](std::string_view, const sides& child) { return part(child); });
    return by_index(between, true, 0, [&](std::size_t, const sides& child) { return part(child); });
  }

  sensitivity marks_;
  unknown_blocks unknown_;
};

change untyped_body(const sides& between) {
  const object_sides inside{between};
  whole all{between};
  block_change made;
  for (const std::string_view key : inside.keys(object_sides::keys_of::unknown_too)) {
    const sides child = as_implicit(only_relevant(inside.child(key)));
    change attribute = compute(child);
    if (is_nothing(attribute, child)) continue;
    attribute.key = key;
    attribute.forces_replacement = child.replace.end_here();
    all.add(made.attributes, std::move(attribute));
  }
  all.made.what = std::move(made);
  return std::move(all.made);
}

}  // namespace

change compute(const sides& between, const schema::type& of) {
  return with_marks(between, [&](const sides& inner) { return of_type(inner, of); });
}

change compute(const sides& between, const schema::block& of, sensitivity marks,
               unknown_blocks unknown) {
  return differ{marks, unknown}.block(between, of);
}

change compute_untyped(const sides& between) {
  sides body = between;
  body.is_block = true;
  return with_marks(body, untyped_body);
}

}  // namespace tofud::diff
