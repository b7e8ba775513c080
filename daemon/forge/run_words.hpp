// What a run is to those who review a pull request: a part of its comment, and a commit's status.
#pragma once

#include "daemon/exports/exported_document.hpp"
#include "daemon/exports/run_rows.hpp"
#include "daemon/forge/api.hpp"
#include "daemon/forge/keep_comment.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud::forge {

/// An https address that nothing in it can lead out of in Markdown.
bool is_link(std::string_view page);

/// Whether it is a plan, or something that was done to the stack; nothing of other commands.
std::optional<of_run> kind_of(const feed::run_view& run);

/// `page`: where more is to be seen, an https address; empty: nowhere. `plan` draws what it
/// changes.
contribution contribution_of(const exports::run_rows& run, of_run what, const std::string& page,
                             const exports::plan_writer& plan);

commit_status status_of(const feed::run_view& run, of_run what, const std::string& page);

}  // namespace tofud::forge
