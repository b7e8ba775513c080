// Files and directories of schemas, put together.
#pragma once

#include "daemon/attachments/limits.hpp"
#include "protocol/schema/schema.hpp"
#include "protocol/schema/schemas_scanner.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tofud::attachments {

struct schema_files {
  /// Specifications lie over what providers say, and are there under their names as well.
  schema::schemas all;
  bool any_provider = false;       // some file is of providers, whatever was taken of it
  bool any_specification = false;  // or of a specification
  /// One for each file that gives nothing; the others were read.
  std::vector<text::failure> wrong;
};

/// Each path is a file of either format ("-": standard input) or a directory of `*.json` and
/// `*.json.gz`, which are read by the order of their names, at most limits::schema_files. Of
/// providers what `asks` wants is taken, of specifications everything.
schema_files read_schema_files(const std::vector<std::string>& paths,
                               const schema::schemas_scanner::wanted& asks);

/// The specifications in a directory or file; null: `path` is empty. The failure: one
/// can't be read, or there are none.
text::result<std::shared_ptr<const schema::schemas>> specifications_in(const std::string& path);

/// `config/schemas` in the directory of a root module, where specifications may lie; empty: there
/// is none.
std::string own_schemas_of(const std::string& root);

}  // namespace tofud::attachments
