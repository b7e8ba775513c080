// The runs of a fold as documents are made of them.
#pragma once

#include "daemon/correlator/stream_fold.hpp"
#include "daemon/exports/run_rows.hpp"

#include <string>
#include <vector>

namespace tofud::exports {

/// Views into `fold`, valid until it is fed again. `only` is the id of one run; empty: all.
std::vector<exports::run_rows> exported_runs(const correlator::stream_fold& fold,
                                             const std::string& only = "");

/// Writes the JUnit report of all runs to `path`; failing is a warning on stderr.
void write_junit(const std::string& path, const correlator::stream_fold& fold);

}  // namespace tofud::exports
