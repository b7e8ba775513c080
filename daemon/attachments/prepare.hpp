// What somebody has (a plan, schemas, a configuration) made into what is kept with a run.
#pragma once

#include "daemon/attachments/limits.hpp"
#include "protocol/plan/failure.hpp"
#include "protocol/redact/hidden_values.hpp"
#include "protocol/schema/schema.hpp"
#include "protocol/schema/schemas_scanner.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace tofud::attachments {

struct plan_and_schemas {
  std::string plan;              // masked, see masked_plan
  std::string schemas;           // what was found for it; empty: none were wanted
  redact::hidden_values hidden;  // of the plan as it came
};

/// Gives the schemas that a plan needs: of providers what `types` wants, of specifications all.
using schema_source =
    std::function<plan::result<schema::schemas>(const schema::schemas_scanner::wanted& types)>;

/// `plan`: what `tofu show -json` wrote. No source: no schemas. A failure names no
/// value.
plan::result<plan_and_schemas> prepare_plan(std::string_view plan,
                                            const schema_source& source = {});

/// The same of a document of schemas that is at hand, compressed or not, which `own` (null: none)
/// lies over. Without a plan (empty) only specifications are kept of it: where it has none, there
/// are no schemas. No document (empty): only `own`. More than
/// limits::plan_document_bytes, uncompressed, are large_schemas.
plan::result<plan_and_schemas> prepare_schemas(std::string_view plan, std::string_view schemas,
                                               const schema::schemas* own);

/// Schemas as they are kept with a run.
plan::result<std::string> kept_schemas(const schema::schemas& all);

/// The configuration in a directory, with the modules that `tofu init` put into `data_directory`
/// (empty: its `.terraform`).
std::string prepare_config(const std::string& directory, const std::string& data_directory);

}  // namespace tofud::attachments
