// Which objects a breaking change touches.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/schema/breaking.hpp"

namespace tofud::schema {

/// An object as its values are known: those of a state, or planned ones with what is unknown of
/// them (`after_unknown`; empty: nothing).
struct known_values {
  json::value values, unknown = {};
};

/// Whether an object of the type has what is changed: a value where one can't be any more, none
/// where one is needed, as many blocks. A change of all of a type touches each object. With
/// `other_default` only values are touched that are the old default: whether they were given can't
/// be seen.
bool touches(const breaking_change& change, const known_values& object);

}  // namespace tofud::schema
