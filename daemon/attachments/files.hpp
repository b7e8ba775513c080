// The files of what is attached: beside a spool, and in a run's directory of the journal.
#pragma once

#include "protocol/feed/row.hpp"

#include <string>
#include <string_view>

namespace tofud::attachments {

/// ID.plan.json, ID.schemas.json, ID.config.json beside the spool ID.jsonl.
std::string beside_spool(const std::string& spool_path, feed::attachment part);

/// ID.hidden: the values of the plan that are hidden in texts, as a mask file (redact/rules.hpp),
/// for its owner only. It stays on this machine.
std::string hidden_beside_spool(const std::string& spool_path);

/// "plan.json", …: in `attachments/` of a run's directory.
std::string file_name(feed::attachment part);

}  // namespace tofud::attachments
