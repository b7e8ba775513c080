// The output of `providers schema -json`.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/schema/schema.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>

namespace tofud::schema {

/// The member of an attribute or block type that tofud adds to the format: `default` (JSON),
/// `replacement` ("possible", "certain") and `validators`, as a specification has them.
inline constexpr std::string_view own_member = "tofud";

/// Unknown members are passed over. The failure names the path of what is wrong.
text::result<schemas> read_provider_schemas(json::value document);

/// One schema of the document: of a resource type, a data source, a provider. `path` is where it
/// stands, for the failure.
text::result<object_schema> read_object_schema(json::value from, const std::string& path);

/// The same of a resource's identity, which is written in another way.
text::result<object_schema> read_identity_schema(json::value from, const std::string& path);

/// The same format again, on one line with a newline: all that the model holds, `own_member` where
/// there is something to say there. Read again it is the same.
std::string write_provider_schemas(const schemas& all);

/// A cty type as JSON has it; the failure is the end of a sentence.
text::result<type> read_type(json::value from);

}  // namespace tofud::schema
