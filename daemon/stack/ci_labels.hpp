// What a CI system says of the job that tofud runs in.
#pragma once

#include "daemon/stack/limits.hpp"
#include "protocol/feed/row.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::stack {

/// Value of a variable, if set.
using environment = std::function<std::optional<std::string>(const char* name)>;

/// Labels `ci`, `branch`, `commit`, `actor`, `job` (a URL), `pr`: those that the system's variables
/// tell. None outside of GitHub Actions, GitLab, Jenkins, Buildkite, CircleCI and Azure Pipelines,
/// and none longer than limits::label_bytes.
std::vector<feed::label> ci_labels(const environment& env);

/// The workspace in the name of a stack ("…@WORKSPACE"); empty if it has none.
std::string_view workspace_of(std::string_view stack);

/// Adds the labels of `more` whose keys are not there yet.
void add_missing(std::vector<feed::label>& labels, const std::vector<feed::label>& more);

}  // namespace tofud::stack
