// What somebody has (a plan, schemas, a configuration) made into what is kept with a run.
#pragma once

#include "protocol/plan/failure.hpp"

#include <string>
#include <string_view>

namespace tofud::attachments {

struct plan_and_schemas {
  std::string plan;     // masked, see masked_plan
  std::string schemas;  // those of the plan's types; empty: none
};

/// `plan`: what `tofu show -json` wrote. `schemas`: a file of `tofu providers schema -json`,
/// compressed or not; empty: none. It is read in pieces, and only the
/// plan's types are kept of it. The failure is a sentence that names no value.
plan::result<plan_and_schemas> prepare_plan(std::string_view plan, const std::string& schemas_file);

/// The same of a document of schemas that is at hand, compressed or not. More than
/// limits::plan_document_bytes, uncompressed, are a failure; `too_large` is set then.
plan::result<plan_and_schemas> prepare_schemas(std::string_view plan, std::string_view schemas,
                                               bool& too_large);

/// The configuration in a directory, with the modules that `tofu init` put into `data_directory`
/// (empty: its `.terraform`).
std::string prepare_config(const std::string& directory, const std::string& data_directory);

}  // namespace tofud::attachments
