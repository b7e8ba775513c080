// `--report FILE.html`: what the page shows at the end of a stream, as a file.
#pragma once

#include "daemon/pipeline/run_topics.hpp"
#include "protocol/redact/finder.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::exports {

struct report_rows {
  std::string rows;  // lines of the feed, less control lines
  std::string cut;   // what is missing, for people; empty: nothing
};

/// What a subscriber of all runs gets, at most `most` bytes of it: views, diagnostics, outputs,
/// messages and tests first, then resources, then as many of the newest lines as fit.
report_rows rows_for_report(const std::deque<pipeline::run>& runs, std::size_t most);

/// The report of a plan that no run belongs to: a page with what the plan changes. `name` is what
/// it is called; `rows` are lines of `tofud show --json`, masked.
std::string report_of_plan(std::string_view name, std::string_view rows);

/// Writes it beside `file` and renames it, so that nobody sees half of one; the mode is what the
/// umask leaves of 0666. The rows of the runs are redacted already; `by` masks what the plan of the
/// last one changes. Returns why there is none, as a sentence.
std::optional<std::string> write_report(const std::string& file,
                                        const std::deque<pipeline::run>& runs,
                                        const std::shared_ptr<const redact::ready_rules>& by);

}  // namespace tofud::exports
