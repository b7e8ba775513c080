// One entry of a plan's changes and its tree.
#pragma once

#include "protocol/diff/change.hpp"
#include "protocol/diff/schema_change.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/plan/resource_change.hpp"
#include "protocol/schema/schema.hpp"

#include <string>
#include <string_view>

namespace tofud::diff {

/// What is known beside the plan. The schemas outlive every tree made with them; nullptr: none.
struct knowledge {
  const schema::schemas* schemas = nullptr;
  sensitivity marks = sensitivity::plan;
  unknown_blocks unknown = unknown_blocks::by_own_schema;
  plan::product made_by = plan::product::opentofu;  // of what is compared
};

/// What of the drift of a resource matters: everything, or what the plan's `relevant_attributes`
/// name. `attributes` is that member, parsed; it outlives the trees.
struct relevance {
  bool everything = true;
  json::value attributes = {};
};

/// Views into what `parsed` holds.
struct resource_diff {
  plan::resource_change about;
  diff::change tree;
  bool has_schema = false;
  bool relevant = true;  // false: no relevant attribute is of this resource
};

/// Parses and computes one; `path` is where its text stands. Valid until `parsed` is used again.
plan::result<resource_diff> compute(plan::part& parsed, std::string_view text,
                                    const std::string& path, const knowledge& known,
                                    const relevance& of = {});

/// Only the first half.
plan::result<plan::resource_change> read(plan::part& parsed, std::string_view text,
                                         const std::string& path);

/// By the name that documents have for it.
schema::mode mode_of(std::string_view name);

/// `mode` as documents name it. A provider of one registry is known by its schema from the other,
/// and any by its specification; nullptr: not known.
const schema::object_schema* find(const knowledge& known, std::string_view provider,
                                  std::string_view mode, std::string_view type);

/// The sides of a change, as a plan has them.
sides sides_of(const plan::change& from);

}  // namespace tofud::diff
