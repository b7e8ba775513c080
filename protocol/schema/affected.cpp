#include "protocol/schema/affected.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace tofud::schema {
namespace {

using json::kind;
using json::value;

/// What is unknown of an element or member. A whole that is unknown makes everything in it so.
value unknown_in(value unknown, std::string_view name) {
  return unknown.is(kind::boolean_true) ? unknown : unknown[name];
}

value unknown_at(value unknown, std::size_t index) {
  if (unknown.is(kind::boolean_true)) return unknown;
  std::size_t at = 0;
  for (const value each : unknown) {
    if (at++ == index) return each;
  }
  return {};
}

bool is_set(const known_values& of) {
  return of.unknown.is(kind::boolean_true) || (of.values && !of.values.is(kind::null));
}

std::size_t count_of(const known_values& of) {
  if (!is_set(of)) return 0;
  if (!of.values.is(kind::array) && !of.values.is(kind::object)) return 1;
  std::size_t count = 0;
  for ([[maybe_unused]] const value each : of.values) ++count;
  return count;
}

using look = std::function<bool(const known_values&)>;

/// Whether `is_meant` holds for what a member of an object is, at the end of a way on which there
/// may be many instances. Not asked where the object around it is not there.
bool any_at(const known_values& object, std::span<const schema_step> way, const look& is_meant) {
  if (!object.values.is(kind::object)) return false;
  const std::string& name = way.front().name;
  const known_values member{object.values[name], unknown_in(object.unknown, name)};
  if (way.size() == 1) return is_meant(member);
  const auto rest = way.subspan(1);
  if (!way.front().has_instances) return any_at(member, rest, is_meant);
  std::size_t at = 0;
  for (const value each : member.values) {
    const value unknown = way.front().by_key ? unknown_in(member.unknown, each.key())
                                             : unknown_at(member.unknown, at);
    if (any_at({each, unknown}, rest, is_meant)) return true;
    ++at;
  }
  return false;
}

std::size_t blocks_in(const breaking_change& change, const known_values& of) {
  return change.path.back().has_instances ? count_of(of) : std::size_t{is_set(of)};
}

bool is_old_default(const breaking_change& change, const known_values& of) {
  if (of.unknown.is(kind::boolean_true)) return false;
  if (change.old_default.empty()) return !is_set(of);
  std::string text;
  of.values.append_json(text);
  return text == change.old_default;
}

}  // namespace

bool touches(const breaking_change& change, const known_values& object) {
  if (change.path.empty()) return true;
  return any_at(object, change.path, [&change](const known_values& of) {
    switch (change.what) {
      case breakage::needed:
        return !is_set(of);
      case breakage::more_blocks:
        return blocks_in(change, of) < change.count;
      case breakage::fewer_blocks:
        return blocks_in(change, of) > change.count;
      case breakage::other_default:
        return is_old_default(change, of);
      default:
        return change.is_block ? blocks_in(change, of) > 0 : is_set(of);
    }
  });
}

}  // namespace tofud::schema
