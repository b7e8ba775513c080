// Words and numbers that the documents have in common.
#pragma once

#include "daemon/exports/run_rows.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::exports {

/// "12.031", "0": seconds with up to three decimals.
std::string seconds_text(std::chrono::microseconds duration);

/// How long the steps of a resource took: those of the apply phase, if there are any. Nothing if
/// none has both ends.
std::optional<std::chrono::microseconds> took(const feed::resource_row& resource);

/// The planned actions, else those of the steps but refreshes: "create", "delete create".
std::string action_text(const feed::resource_row& resource);

/// How long the run took, or has taken so far.
std::optional<std::chrono::microseconds> took(const feed::run_view& run);

/// Whether anything is counted but outputs.
bool has_changes(const feed::change_counts& counts);

/// Of what a plan would do, and of what was done.
enum class tense : bool { future, past };
/// "+3 ~1 -0, 2 to import", `past`: "+3 ~1 -0, 2 imported"; likewise what is forgotten.
std::string signs_text(const feed::change_counts& counts, tense of);

/// The diagnostic as OpenTofu draws it, without colours and a newline at the end.
std::string diagnostic_text(const feed::diagnostic_row& diagnostic);

/// The diagnostics of a resource with that severity.
std::vector<const feed::diagnostic_row*> diagnostics_of(const run_rows& run,
                                                        const feed::resource_row& resource,
                                                        std::string_view severity);

}  // namespace tofud::exports
