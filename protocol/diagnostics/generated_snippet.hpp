// A fault in a JSON file that a program wrote in one line: OpenTofu's snippet of it is the whole
// file.
#pragma once

#include "protocol/diagnostics/limits.hpp"
#include "protocol/feed/row.hpp"

namespace tofud::diagnostics {

/// If the snippet is of such a file (or of one with a line longer than
/// limits::generated_line_bytes), `code` becomes the block around the fault in lines of its own,
/// with the fault marked in them, and `path` says where in the file it is; of what stands in other
/// blocks nothing is left but names. All else stays, and so does every other row. Where the block
/// can't be found `code` is empty. Of a long line of a file that has others, `path` is as much as
/// OpenTofu's `context` says.
void redraw_generated(feed::diagnostic_row& row);

}  // namespace tofud::diagnostics
