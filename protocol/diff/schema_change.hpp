// What lies between the two sides of a resource, as its schema tells.
#pragma once

#include "protocol/diff/change.hpp"
#include "protocol/diff/sides.hpp"
#include "protocol/schema/schema.hpp"

namespace tofud::diff {

/// Whose word counts on what is sensitive: OpenTofu's own text follows the plan alone, all else of
/// ours takes the schema's marks, too.
enum class sensitivity : bool { plan, plan_and_schema };

/// What is shown of blocks that become unknown as a whole: what their schema has, or, as OpenTofu
/// up to 1.12 writes it, what that of the block around them has.
enum class unknown_blocks : bool { by_own_schema, by_schema_around };

/// The change of a resource's body. Views into the documents and the schema.
change compute(const sides& between, const schema::block& of, sensitivity marks,
               unknown_blocks unknown = unknown_blocks::by_own_schema);

/// The same where no schema is known: members of the values are attributes, their types are those
/// of the values.
change compute_untyped(const sides& between);

/// The change of a value of a type.
change compute(const sides& between, const schema::type& of);

}  // namespace tofud::diff
