#include "protocol/diff/sides.hpp"

#include <algorithm>

namespace tofud::diff {
namespace {

using json::kind;
using json::value;

std::vector<value> values_of(value v) {
  std::vector<value> found;
  if (!v.is(kind::array)) return found;
  for (const value each : v) found.push_back(each);
  return found;
}

members::found found_at(const std::vector<value>& all, std::size_t index) {
  return index < all.size() ? members::found{all[index], true} : members::found{};
}

}  // namespace

bool is_nil(value v) { return !v || v.is(kind::null); }
bool is_true(value v) { return v.is(kind::boolean_true); }

bool equal(value a, value b) {
  if (is_nil(a) || is_nil(b)) return is_nil(a) && is_nil(b);
  if (a.is(kind::object) && b.is(kind::object)) {
    const members first{a}, second{b};
    return std::equal(first.all().begin(), first.all().end(), second.all().begin(),
                      second.all().end(),
                      [](value x, value y) { return x.key() == y.key() && equal(x, y); });
  }
  if (a.is(kind::array) && b.is(kind::array)) {
    auto i = a.begin(), k = b.begin();
    while (i != a.end() && k != b.end()) {
      if (!equal(*i, *k)) return false;
      ++i;
      ++k;
    }
    return !(i != a.end()) && !(k != b.end());
  }
  for (const kind each : {kind::string, kind::number, kind::boolean_true, kind::boolean_false}) {
    if (a.is(each)) return b.is(each) && a.text() == b.text();
  }
  return false;
}

sides as_removed(const sides& between) {
  sides made;
  made.before = between.before;
  made.before_sensitive = between.before_sensitive;
  made.before_explicit = between.before_explicit;
  made.replace = between.replace;
  made.relevant = between.relevant;
  made.marked_sensitive = between.marked_sensitive;
  return made;
}

sides as_created(const sides& between) {
  sides made;
  made.after = between.after;
  made.unknown = between.unknown;
  made.after_sensitive = between.after_sensitive;
  made.after_explicit = between.after_explicit;
  made.relevant = between.relevant;
  made.marked_sensitive = between.marked_sensitive;
  return made;
}

sides only_relevant(const sides& between) {
  sides made = between;
  if (between.relevant.meet()) return made;
  made.after = between.before;
  made.after_sensitive = between.before_sensitive;
  made.after_explicit = between.before_explicit;
  made.unknown = {};
  made.all_unknown = made.children_unknown = false;
  return made;
}

action with_part(action whole, action part) {
  if (part == action::none || part == whole) return whole;
  return action::update;
}

action of_whole(const sides& between) {
  const bool before = !is_nil(between.before), after = !is_nil(between.after);
  if (before == after) return action::none;
  return before ? action::remove : action::create;
}

members::members(value of) {
  if (!of.is(kind::object)) return;
  for (const value each : of) all_.push_back(each);
  const auto by_key = [](value a, value b) { return a.key() < b.key(); };
  if (!std::is_sorted(all_.begin(), all_.end(), by_key))
    std::stable_sort(all_.begin(), all_.end(), by_key);
  // The last of a name stays.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (i + 1 < all_.size() && all_[i].key() == all_[i + 1].key()) continue;
    all_[kept++] = all_[i];
  }
  all_.resize(kept);
}

members::found members::find(std::string_view key) const {
  const auto at =
      std::lower_bound(all_.begin(), all_.end(), key,
                       [](value each, std::string_view wanted) { return each.key() < wanted; });
  if (at == all_.end() || at->key() != key) return {};
  return {*at, true};
}

object_sides::object_sides(const sides& between)
    : of_{between},
      before_{between.before},
      after_{between.after},
      unknown_{between.unknown},
      before_sensitive_{between.before_sensitive},
      after_sensitive_{between.after_sensitive} {}

sides object_sides::child(std::string_view key) const {
  const auto before = before_.find(key), after = after_.find(key);
  sides made;
  made.before = before.at;
  made.after = after.at;
  made.unknown = unknown_.find(key).at;
  made.before_sensitive = before_sensitive_.find(key).at;
  made.after_sensitive = after_sensitive_.find(key).at;
  made.before_explicit = before.there;
  made.after_explicit = after.there;
  made.all_unknown = of_.children_unknown;
  made.by_position = of_.by_position;
  made.replace = of_.replace.child(key);
  made.relevant = of_.relevant.child(key);
  return made;
}

std::vector<std::string_view> object_sides::keys(keys_of which) const {
  std::vector<std::string_view> all;
  const auto add = [&](const members& from) {
    for (const value each : from.all()) all.push_back(each.key());
  };
  add(before_);
  add(after_);
  if (which != keys_of::values) add(unknown_);
  if (which == keys_of::marks_too) {
    add(before_sensitive_);
    add(after_sensitive_);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

list_sides::list_sides(const sides& between)
    : of_{between},
      before_{values_of(between.before)},
      after_{values_of(between.after)},
      unknown_{values_of(between.unknown)},
      before_sensitive_{values_of(between.before_sensitive)},
      after_sensitive_{values_of(between.after_sensitive)} {}

sides list_sides::child(std::size_t before, std::size_t after) const {
  const auto old = found_at(before_, before), fresh = found_at(after_, after);
  sides made;
  made.before = old.at;
  made.after = fresh.at;
  made.unknown = found_at(unknown_, after).at;
  made.before_sensitive = found_at(before_sensitive_, before).at;
  made.after_sensitive = found_at(after_sensitive_, after).at;
  made.before_explicit = old.there;
  made.after_explicit = fresh.there;
  made.all_unknown = of_.children_unknown;
  made.by_position = of_.by_position;
  const std::size_t index = old.there ? before : after;
  made.replace = of_.replace.child(index);
  made.relevant = of_.relevant.child(index);
  return made;
}

}  // namespace tofud::diff
