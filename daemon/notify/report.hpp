// What is told of a run: facts that its rows show anyway, as a value that is kept.
#pragma once

#include "daemon/notify/occasion.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/text/failure.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::notify {

struct told_error {
  std::string summary, addr, place;  // the last two empty: of no resource, of no file
  std::string owner, runbook;        // of that block, as its configuration says; empty: it does not
  bool operator==(const told_error&) const = default;
};

/// A value. Texts are redacted as rows are, of one line, and cut at limits::told_text_bytes.
struct report {
  occasion what = occasion::failed;
  std::string id;       // the same of each delivery, each try and each daemon that reads the run
  std::string run;      // its id; of several runs the newest
  std::string stack;    // empty: unknown
  std::string command;  // "apply"
  std::string status;   // "failed"
  std::vector<feed::label> labels;
  std::string by;  // who sent it, if that was verified; empty: it was not
  ui::time_point at;
  std::optional<ui::time_point> started_at;
  std::optional<feed::change_counts> changes;  // done, else planned
  bool changes_are_done = false;
  std::uint64_t errors = 0;
  std::vector<told_error> first_errors;
  std::uint64_t stranded = 0;  // resources behind `stranded_by` that did not begin
  std::string stranded_by;
  std::optional<std::uint64_t> seconds;  // how long it waits, or takes by now
  std::string url;                       // of the run's page; empty: the daemon has none
  std::string approve_url;               // where one approves, as its label `url` says
  std::string resolves;                  // of `recovered`: the id of the report that it ends
  /// Of a burst: the stacks, oldest first, and how many are not among them.
  std::vector<std::string> others;
  std::uint64_t more_others = 0;
  bool operator==(const report&) const = default;
};

/// What stays the same however often it is told: of a run, an occasion and a rule.
std::string report_id(std::string_view run, occasion what, std::string_view rule);

/// As in `@timestamp`.
std::string stamp_of(ui::time_point at);

/// "apply of net/prod failed": one line for people, whatever the stack's name is made of.
std::string headline(const report& of);
/// What happened beside, a line each: counts, time, who.
std::vector<std::string> facts_of(const report& of);

/// Fit for a line of a message: `hide` redacts, then it is made one readable line, and cut.
std::string told_text(std::string_view text,
                      const std::function<std::string(std::string_view)>& hide);

/// As it is kept in the outbox, and as CloudEvents carry it.
std::string to_json(const report& of);
text::result<report> parse_report(std::string_view json);

/// One report of many that one rule wants told at the same time.
report burst_of(const std::vector<report>& all, std::string_view rule);

}  // namespace tofud::notify
