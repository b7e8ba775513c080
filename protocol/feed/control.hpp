// The control lines of the feed, each one JSON object without a newline. README.md says when.
#pragma once

#include "protocol/feed/row.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace tofud::feed {

enum class liveness { unchanged, live };

/// Whether what let a subscriber in may end before it goes: a token, a session.
enum class admitted : bool { for_good, by_login };

/// First line of every connection. `topic` is "wall" or "run/ID". `not_current`: why what other
/// daemons have is not known here; empty: it is.
std::string hello(std::string_view server, std::string_view build, std::string_view topic,
                  std::string_view epoch, std::chrono::milliseconds heartbeat,
                  admitted how = admitted::for_good, std::string_view not_current = {});
/// The cursor now stands at `seq`; the first one of a connection also says `"live":true`.
std::string at(sequence seq, liveness live);
/// Lines in [from, to] are no longer in memory; `href`, below that path of a run, has them.
std::string gap(sequence from, sequence to, std::string_view run_path);
std::string heartbeat(ui::time_point now, sequence at, std::string_view not_current = {});
/// `reason`: "epoch", "head" (beyond it), "removed" (before a forgotten removal) or "since"
/// (unparsable).
std::string reset(std::string_view reason);
std::string removed(row_kind of, std::string_view key, sequence seq);
std::string error(int code, std::string_view message);

}  // namespace tofud::feed
