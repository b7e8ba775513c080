// The state of a fold at an offset: `rows = fold(bytes + events)` goes on from there without what
// came before. One mechanism for whoever begins in the middle: a daemon that starts again, a step
// back in time, a replica that comes late.
#pragma once

#include "daemon/correlator/stream_fold.hpp"
#include "protocol/text/failure.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tofud::correlator {

/// All that the fold knows at `offset()`, but for what is attached (documents of others) and the
/// lines of logs (they stand in the stream). About as large as its rows. `build` names the program:
/// the format follows its structs.
std::string snapshot_of(const stream_fold& fold, std::string_view build);

/// Makes `into`, which nothing was fed yet, what the other fold was: fed the same from here on, it
/// has the same rows with the same sequence numbers. The watcher is told nothing. `attached`: what
/// was attached to the other fold, in that order. A snapshot is of one build, one run and its
/// documents; after an error (correlator::error) `into` is of no use.
text::failure restore(stream_fold& into, std::string_view snapshot, std::string_view build,
                      std::span<const run_attachments> attached);

}  // namespace tofud::correlator
