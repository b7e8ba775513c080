// A file of schemas, of either format.
#pragma once

#include "protocol/schema/finding.hpp"
#include "protocol/schema/schema.hpp"
#include "protocol/schema/schemas_scanner.hpp"
#include "protocol/text/failure.hpp"

#include <string>
#include <vector>

namespace tofud::attachments {

struct schema_document {
  using format = schema::schemas_scanner::document;

  format what = format::unknown;  // unknown: of neither format, or not to be read
  /// What was asked for. A specification's provider has its name for an address.
  schema::schemas types;
  std::vector<schema::finding> findings;
  /// Why the file can't be read; empty: it was read.
  text::failure failure;
};

/// Reads `path`, "-" for standard input, compressed or not. `asks` is called for each schema, as
/// with `schemas_scanner`. Of `providers schema -json` only what is asked for is held in memory; a
/// specification is held as a whole, and one with a mistake gives no types.
schema_document read_schema_document(const std::string& path,
                                     const schema::schemas_scanner::wanted& asks);

}  // namespace tofud::attachments
