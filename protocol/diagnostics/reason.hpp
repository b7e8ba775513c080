// Why something failed, in one line.
#pragma once

#include "protocol/feed/row.hpp"

#include <string>

namespace tofud::diagnostics {

/// The headline; of a provisioner that failed how its command ended and the last line that it
/// printed, without what colours it: `exit status 3: quota of us-east is 2 servers`. OpenTofu has
/// all of it in one sentence of the detail (internal/builtin/provisioners, 1.12.6).
std::string reason(const feed::diagnostic_row& diagnostic);

}  // namespace tofud::diagnostics
