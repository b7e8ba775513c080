// Making, ending and removing the directory of a run, each a step that a crash leaves done or
// undone.
#pragma once

#include "daemon/journal/disk.hpp"
#include "daemon/journal/kept_run.hpp"

#include <string>

namespace tofud::journal {

/// Makes ROOT/runs/ID with its files, all on disk but its name in runs/: that is the caller's to
/// sync. "" or a sentence, and then there is nothing of it.
text::failure make_run(disk& on, const std::string& root, const run_header& header);

/// Writes the marker of the end; on disk when it returns "".
text::failure mark_complete(disk& on, const std::string& root, const std::string& id,
                            const completion& completion);

/// From then on there is no run of that name; on disk when it returns "". Its bytes go with
/// clear_removed().
text::failure remove_run(disk& on, const std::string& root, const std::string& id);

/// Deletes a directory `.new-…` or `.gone-…` of runs/ with all that is in it. False: the disk
/// refused; the next start tries again.
bool clear_removed(disk& on, const std::string& directory);

}  // namespace tofud::journal
