// The runs of this daemon as telemetry reads them.
#pragma once

#include "daemon/serve/kept_streams.hpp"
#include "daemon/telemetry/exporter.hpp"

#include <functional>
#include <string>

namespace tofud::serve {

/// Reads a run from the disk if it is not in memory. `runs` outlives it; `page` gives the address
/// of a run's page, empty if there is none.
decltype(telemetry::exporter::options::read) traced_runs(
    kept_streams& runs, std::function<std::string(const std::string& run)> page);

}  // namespace tofud::serve
