// The Provider Code Specification: what a provider's generator knows of its types.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/schema/finding.hpp"
#include "protocol/schema/limits.hpp"
#include "protocol/schema/schema.hpp"

#include <string>
#include <vector>

namespace tofud::schema {

/// Everything that is wrong, in the order of the document; at most limits::schema_findings, the
/// last of them says that there are more. What the format does not know is a warning: versions
/// only add. Without errors the document can be read.
std::vector<finding> check_specification(json::value document);

bool has_error(const std::vector<finding>& findings);

struct specification {
  std::string provider_name;  // as in the names of its types: `NAME_thing`
  schemas::provider types;
};

/// A document in which `check_specification` found no error. Types are under their whole names.
/// What a provider schema also says and a specification can't is unset: versions, and how many
/// blocks there may be.
specification read_specification(json::value document);

}  // namespace tofud::schema
