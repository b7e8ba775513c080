// Which run somebody means, of those that are kept here and those at a daemon.
#pragma once

#include "daemon/cli/run_argument.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>

namespace tofud::cli {

/// As `open_run` says.
text::result<opened_run> find_run(const run_argument& given, const asked_daemon& daemon);

}  // namespace tofud::cli
