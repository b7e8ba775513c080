// The values in lines of source that are not to be seen.
#pragma once

#include "protocol/diagnostics/byte_range.hpp"
#include "protocol/diagnostics/subject.hpp"
#include "protocol/redact/sensitive_names.hpp"

#include <string_view>
#include <vector>

namespace tofud::redact {

/// Of lines in native syntax out of a resource with such names; in the order of the text, apart
/// from one another. What can't be read is hidden to its end.
std::vector<diagnostics::byte_range> hidden_in_native(std::string_view code,
                                                      const sensitive_names& names);

/// Of lines in JSON syntax. Where they begin at the root of the file, as a block that was drawn
/// does, each value is looked up where it stands.
std::vector<diagnostics::byte_range> hidden_in_json(std::string_view code,
                                                    const sensitive_names& names,
                                                    const diagnostics::subject& of);

}  // namespace tofud::redact
