// Runs as a JUnit report, which CI servers show: test files and runs of `tofu test`, or resources.
#pragma once

#include "daemon/exports/run_rows.hpp"

#include <string>
#include <vector>

namespace tofud::exports {

/// XML as Jenkins' schema has it (junit-10.xsd), which GitLab, GitHub and others read. A run of
/// `tofu test` is a suite per test file with a case per run block; any other run is a suite with a
/// case per resource that is not merely unchanged. Each run has a case of its own, which holds the
/// errors that belong to no other: a run that failed never looks green, one that succeeded never
/// red, but for tests whose cleanup failed: they left resources behind.
std::string junit(const std::vector<run_rows>& runs);

}  // namespace tofud::exports
