// Whether somebody still tells us about a run that is uploaded.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/ui/timestamp.hpp"

namespace tofud::wall {

/// By the last request that was accepted, a keep-alive too. Any such request undoes `none` and
/// `lost`, as the caller then gives a later `last`. A `last` after `now` (our clock was set back)
/// counts as just now.
feed::run_contact contact(ui::time_point last, ui::time_point now);

}  // namespace tofud::wall
