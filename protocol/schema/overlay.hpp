// What a specification adds to what a provider says of itself.
#pragma once

#include "protocol/schema/schema.hpp"

#include <string_view>
#include <vector>

namespace tofud::schema {

/// The shape stays that of `base`: what it lacks is not added. Of what both have, `sensitive` and
/// `deprecated` are so if either says it; descriptions, messages, defaults, validators and
/// replacement are those of `specified` where it says something. A block may be written as a nested
/// attribute, and the other way. Where `base` has one whole for what has secrets inside in
/// `specified`, the whole is sensitive.
void lay_over(object_schema& base, const object_schema& specified);

/// Each provider of `specified` has its name alone: it lies over every provider of `base` whose
/// address ends in that name, and is there under its name as well, for what `base` does not have.
/// Of two specifications of one provider the later one lies over the earlier one.
void lay_over(schemas& base, const schemas& specified);

/// Documents of either format put together. A document that tofud wrote has both kinds in it.
class schema_layers {
 public:
  /// Of a type that two documents have the later one stays; specifications are laid over each
  /// other.
  void add(schemas read);
  /// All of them as one.
  schemas done();

 private:
  schemas base_;
  std::vector<schemas> over_;
};

}  // namespace tofud::schema
