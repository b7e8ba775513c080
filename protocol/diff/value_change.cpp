#include "protocol/diff/value_change.hpp"

#include "protocol/limits.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tofud::diff {
namespace {

using json::kind;
using json::value;

// Go's nil: no value, or null.
bool is_nil(value v) { return !v || v.is(kind::null); }
bool is_true(value v) { return v.is(kind::boolean_true); }

kind type_of(value v) {
  if (!v) return kind::null;
  if (v.is(kind::boolean_false)) return kind::boolean_true;
  for (const kind each :
       {kind::object, kind::array, kind::string, kind::number, kind::boolean_true}) {
    if (v.is(each)) return each;
  }
  return kind::null;
}

// The action of a whole whose part does this too.
action with_part(action whole, action part) {
  if (part == action::none || part == whole) return whole;
  return action::update;
}

action of_containers(bool before, bool after) {
  if (before == after) return action::none;
  return before ? action::remove : action::create;
}

using members = std::map<std::string_view, value>;

members members_of(value v) {
  members found;
  if (!v.is(kind::object)) return found;
  for (const value each : v) found[each.key()] = each;  // the last of a name counts
  return found;
}

std::vector<value> elements_of(value v) {
  std::vector<value> found;
  if (!v.is(kind::array)) return found;
  for (const value each : v) found.push_back(each);
  return found;
}

struct found_member {
  value at;
  bool there = false;
};

found_member find(const members& all, std::string_view key) {
  const auto found = all.find(key);
  return found == all.end() ? found_member{} : found_member{found->second, true};
}

found_member find(const std::vector<value>& all, std::size_t index) {
  return index < all.size() ? found_member{all[index], true} : found_member{};
}

void for_each_line(std::string_view text, const std::function<void(std::string_view)>& line) {
  for (;;) {
    const std::size_t end = text.find('\n');
    line(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// Texts of several lines are compared line by line if they share one.
bool share_a_line(value a, value b) {
  if (!a.is(kind::string) || !b.is(kind::string)) return false;
  const std::string_view first = a.text(), second = b.text();
  if (first.find('\n') == std::string_view::npos && second.find('\n') == std::string_view::npos)
    return false;
  boost::unordered_flat_set<std::string_view> lines;
  for_each_line(first, [&](std::string_view line) { lines.insert(line); });
  bool shared = false;
  for_each_line(second, [&](std::string_view line) { shared = shared || lines.contains(line); });
  return shared;
}

std::unique_ptr<change> boxed(change made) { return std::make_unique<change>(std::move(made)); }

sides as_removed(const sides& between) {
  return {between.before, {}, {}, between.before_sensitive, {}, between.before_explicit, false};
}

sides as_created(const sides& between) {
  return {{},    between.after,         between.unknown, {}, between.after_sensitive,
          false, between.after_explicit};
}

change of_primitive(const sides& between, kind type) {
  const bool no_before = is_nil(between.before) && !between.before_explicit;
  const bool no_after = is_nil(between.after) && !between.after_explicit;
  change made;
  if (no_before != no_after)
    made.action = no_before ? action::create : action::remove;
  else
    made.action = equal(between.before, between.after) ? action::none : action::update;
  made.what = primitive_change{between.before, between.after, type == kind::string};
  return made;
}

change of_object(const sides& between) {
  const members before = members_of(between.before), after = members_of(between.after),
                unknown = members_of(between.unknown),
                before_sensitive = members_of(between.before_sensitive),
                after_sensitive = members_of(between.after_sensitive);
  std::set<std::string_view> keys;
  for (const members* each : {&before, &after, &unknown, &before_sensitive, &after_sensitive}) {
    for (const auto& [key, at] : *each) keys.insert(key);
  }
  change made;
  made.action = of_containers(between.before.is(kind::object), between.after.is(kind::object));
  object_change object;
  for (const std::string_view key : keys) {
    const found_member old = find(before, key), fresh = find(after, key);
    change member =
        compute({old.at, fresh.at, find(unknown, key).at, find(before_sensitive, key).at,
                 find(after_sensitive, key).at, old.there, fresh.there});
    member.key = key;
    made.action = with_part(made.action, member.action);
    object.members.push_back(std::move(member));
  }
  made.what = std::move(object);
  return made;
}

change of_list(const sides& between) {
  const std::vector<value> before = elements_of(between.before), after = elements_of(between.after),
                           unknown = elements_of(between.unknown),
                           before_sensitive = elements_of(between.before_sensitive),
                           after_sensitive = elements_of(between.after_sensitive);
  change made;
  made.action = of_containers(between.before.is(kind::array), between.after.is(kind::array));
  list_change list;
  pair_elements(
      before.size(), after.size(),
      [&](std::size_t i, std::size_t k) { return equal(before[i], after[k]); },
      [&](std::size_t i, std::size_t k) {
        return (before[i].is(kind::object) && after[k].is(kind::object)) ||
               share_a_line(before[i], after[k]);
      },
      [&](std::size_t i, std::size_t k) {
        const found_member old = find(before, i), fresh = find(after, k);
        list.elements.push_back(
            compute({old.at, fresh.at, find(unknown, k).at, find(before_sensitive, i).at,
                     find(after_sensitive, k).at, old.there, fresh.there}));
        made.action = with_part(made.action, list.elements.back().action);
      });
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
      return of_primitive(between, type);
  }
}

std::optional<change> of_sensitive(const sides& between) {
  const bool before = is_true(between.before_sensitive), after = is_true(between.after_sensitive);
  if (!before && !after) return {};
  sides shown = between;
  shown.before_sensitive = shown.after_sensitive = {};
  const action inner = compute(shown).action;
  const bool nothing_at_all = is_nil(between.before) && !between.before_explicit &&
                              is_nil(between.after) && !between.after_explicit;
  change made;
  made.action =
      inner == action::none && before != after && !nothing_at_all ? action::update : inner;
  made.what = sensitive_change{inner, before, after};
  return made;
}

std::optional<change> of_unknown(const sides& between) {
  if (!is_true(between.unknown)) return {};
  change made;
  unknown_change unknown;
  made.action = is_nil(between.before) ? action::create : action::update;
  if (!is_nil(between.before)) {
    sides gone = as_removed(between);
    unknown.before = boxed(compute(gone));
  }
  made.what = std::move(unknown);
  return made;
}

// Lengths of common subsequences, and what they are made of.
class common_elements {
 public:
  struct place {
    std::size_t before, after;
  };

  common_elements(std::size_t before, std::size_t after, const pair_question& same)
      : columns_{before}, lengths_(before * after), same_(before * after) {
    for (std::size_t k = 0; k < after; ++k) {
      for (std::size_t i = 0; i < before; ++i) {
        const std::size_t cell = k * columns_ + i;
        same_[cell] = same(i, k);
        lengths_[cell] =
            same_[cell] ? length(i, k, 1, 1) + 1 : std::max(length(i, k, 1, 0), length(i, k, 0, 1));
      }
    }
    // Of several longest ones, the one that this walk from the end finds: an element of before is
    // passed over only if that is strictly better.
    std::size_t i = before, k = after;
    while (i > 0 && k > 0) {
      if (same_[(k - 1) * columns_ + i - 1]) {
        places_.push_back({--i, --k});
      } else if (length(i - 1, k - 1, 1, 0) > length(i - 1, k - 1, 0, 1)) {
        --i;
      } else {
        --k;
      }
    }
    std::reverse(places_.begin(), places_.end());
  }

  const std::vector<place>& places() const { return places_; }

 private:
  // The length so many columns to the left and rows up.
  std::uint32_t length(std::size_t i, std::size_t k, std::size_t left, std::size_t up) const {
    return i < left || k < up ? 0 : lengths_[(k - up) * columns_ + i - left];
  }

  std::size_t columns_;
  std::vector<std::uint32_t> lengths_;
  std::vector<bool> same_;
  std::vector<place> places_;
};

// Room that a value takes when drawn in full; more than the limit if it holds a list too long.
std::size_t drawn_size(value v, std::size_t depth) {
  constexpr std::size_t columns = 4;  // an indent
  constexpr std::size_t around = 16;  // signs, quotes, a comma
  if (is_nil(v)) return around;
  std::size_t size = columns * depth + around + v.key().size() + v.text().size();
  std::size_t elements = 0;
  for (const value each : v) {
    size += drawn_size(each, depth + 1);
    if (size > limits::difference_bytes) return size;
    ++elements;
  }
  if (v.is(kind::string)) {
    const std::string_view text = v.text();
    elements = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    size += elements * columns * (depth + 1);
  }
  return elements > limits::difference_elements ? limits::difference_bytes + 1 : size;
}

}  // namespace

bool equal(value a, value b) {
  if (is_nil(a) || is_nil(b)) return is_nil(a) && is_nil(b);
  if (a.is(kind::object) && b.is(kind::object)) {
    const members first = members_of(a), second = members_of(b);
    return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                      [](const auto& x, const auto& y) {
                        return x.first == y.first && equal(x.second, y.second);
                      });
  }
  if (a.is(kind::array) && b.is(kind::array)) {
    const std::vector<value> first = elements_of(a), second = elements_of(b);
    return std::equal(first.begin(), first.end(), second.begin(), second.end(), equal);
  }
  for (const kind each : {kind::string, kind::number, kind::boolean_true, kind::boolean_false}) {
    if (a.is(each)) return b.is(each) && a.text() == b.text();
  }
  return false;
}

void pair_elements(std::size_t before, std::size_t after, const pair_question& same,
                   const pair_question& alike, const pair_sink& pair) {
  const common_elements common{before, after, same};
  const auto& places = common.places();
  std::size_t i = 0, k = 0, next = 0;
  // Whether an element is the same as the next common one, be it at that place or earlier.
  const auto is_next_before = [&](std::size_t at) { return same(at, places[next].after); };
  const auto is_next_after = [&](std::size_t at) { return same(places[next].before, at); };
  while (i < before || k < after || next < places.size()) {
    while (i < before && (next == places.size() || !is_next_before(i))) {
      const bool common_after = k < after && next < places.size() && is_next_after(k);
      if (k < after && !common_after && alike(i, k))
        pair(i++, k++);
      else
        pair(i++, after);
    }
    // Here an element of before may be the next common one and be paired away all the same.
    while (k < after && (next == places.size() || !is_next_after(k))) {
      if (i < before && alike(i, k))
        pair(i++, k++);
      else
        pair(before, k++);
    }
    if (next < places.size()) {
      pair(i++, k++);
      ++next;
    }
  }
}

change compute(const sides& between) {
  if (auto found = of_sensitive(between)) return std::move(*found);
  if (auto found = of_unknown(between)) return std::move(*found);
  const kind before = type_of(between.before), after = type_of(between.after);
  const bool created = before == kind::null && !between.before_explicit;
  const bool removed = after == kind::null && !between.after_explicit;
  if (before == after || created || removed) {
    return of_type(between, before == kind::null ? after : before);
  }
  change made;
  made.action = action::update;
  made.what = type_change{boxed(of_type(as_removed(between), before)),
                          boxed(of_type(as_created(between), after))};
  return made;
}

bool worth_drawing(const sides& between) {
  std::size_t size = 0;
  for (const value each : {between.before, between.after, between.unknown, between.before_sensitive,
                           between.after_sensitive}) {
    size += drawn_size(each, 1);
    if (size > limits::difference_bytes) return false;
  }
  return true;
}

}  // namespace tofud::diff
