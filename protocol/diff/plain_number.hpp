// A number as OpenTofu writes numbers of a state.
#pragma once

#include <string>
#include <string_view>

namespace tofud::diff {

/// Without an exponent, whatever way it stands in JSON; one of hundreds of digits stays as it is.
std::string plain_number(std::string_view json);

}  // namespace tofud::diff
