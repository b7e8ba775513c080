// From a diagnostic as OpenTofu printed it to the row subscribers get.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/ui/message.hpp"

namespace tofud::feed {

/// All of the row but its ordinal. What OpenTofu left out or wrote in another way than it does
/// stays empty. The row owns its text.
diagnostic_row to_row(const ui::envelope& head, const ui::diagnostic& diagnostic);

}  // namespace tofud::feed
