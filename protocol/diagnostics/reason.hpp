// Why something failed, in one line.
#pragma once

#include "protocol/feed/row.hpp"

#include <string>

namespace tofud::diagnostics {

/// The headline; of a provisioner that failed how its program ended and the last line that it
/// printed, without what colours it: `exit status 3: quota of us-east is 2 servers`. OpenTofu has
/// all of it in one sentence of the detail (1.12.6: internal/builtin/provisioners/local-exec;
/// internal/communicator/remote, whose sentence has no output). It costs the same however long the
/// detail is.
std::string reason(const feed::diagnostic_row& diagnostic);

}  // namespace tofud::diagnostics
