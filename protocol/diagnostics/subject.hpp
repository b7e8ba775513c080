// The resource (data source, provider) whose configuration a diagnostic is about.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/schema/schema.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace tofud::diagnostics {

/// Views into the row; the schema belongs to the schemas.
struct subject {
  std::string_view type;  // "acme_db"; of a provider its name
  bool is_provider = false;
  const schema::block* block = nullptr;
  /// Whether the lines of the snippet are of its block. Else they are of one that mentions it.
  bool has_snippet = false;
  std::size_t around = 0;  // blocks that its own block is in
  /// Of a file in JSON syntax: the names behind the block's, which the snippet says.
  std::vector<std::string_view> names = {};
};

/// Without a `block` nothing is known of it: no schema has the type, or several providers have
/// types of that name which differ.
subject subject_of(const feed::diagnostic_row& row, const schema::schemas& known);

/// The schema of a type by what a configuration or an address calls it: `kind` is "resource",
/// "data", "ephemeral" or "provider". nullptr as above.
const schema::block* find_block_schema(const schema::schemas& known, std::string_view kind,
                                       std::string_view type);

}  // namespace tofud::diagnostics
