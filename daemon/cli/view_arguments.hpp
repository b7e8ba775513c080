// The arguments that say how a stream is shown.
#pragma once

#include "daemon/cli/command.hpp"
#include "daemon/local/view_options.hpp"

#include <string>

namespace tofud::cli {

/// Those of them that say what goes to stdout: --progress, --color, --heartbeat.
void add_progress_arguments(command& words, view_options& view);

/// --color=auto|always|never.
void add_colour_argument(command& words, terminal::colour_flag& colour);

/// --plan, --schemas and --config: what is attached to the stream. Whether the files are there, and
/// what they should be, is found out when they are read: a pipe must not end for want of them.
void add_attachment_arguments(command& words, attachments::wanted& attach);

/// `--ca-file`, which goes into `$TOFUD_CA_FILE`.
void add_ca_file_argument(command& words);

/// Puts them into `words`; reading them fills `view`, which outlives `words`. Looks at `CI` and
/// `TOFUD_STACK` in the environment.
void add_view_arguments(command& words, view_options& view);

/// The same, `--state-dir` and `--mask-file`: for a run that is kept and may be sent on.
void add_stream_arguments(command& words, view_options& view, std::string& state_dir);

}  // namespace tofud::cli
