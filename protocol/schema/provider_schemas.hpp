// The output of `providers schema -json`.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/schema/schema.hpp"

#include <boost/system/result.hpp>

#include <string>

namespace tofud::schema {

/// Unknown members are passed over. The failure is a sentence that names the path of what is wrong.
boost::system::result<schemas, std::string> read_provider_schemas(json::value document);

/// A cty type as JSON has it; the failure is a sentence's end.
boost::system::result<type, std::string> read_type(json::value from);

}  // namespace tofud::schema
