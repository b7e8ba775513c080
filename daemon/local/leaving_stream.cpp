#include "daemon/local/leaving_stream.hpp"

#include "daemon/exports/exported_runs.hpp"
#include "daemon/exports/report_file.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"

#include <utility>

namespace tofud {

leaving_stream::leaving_stream(correlator::run_identity identity, const redact::rules& rules,
                               pipeline::part_reader parts)
    : rules_{std::make_shared<const redact::ready_rules>(rules)},
      rows_{redaction::redacted(std::move(identity), rules), std::move(parts)},
      topics_{rows_, {}} {
  rows_.redact_by(rules);
}

std::unique_ptr<leaving_stream> leaving_stream::begin(correlator::run_identity identity,
                                                      const std::string& spool,
                                                      const std::string& mask_file,
                                                      const std::vector<std::string>& variables,
                                                      pipeline::part_reader parts) {
  const auto rules = redaction::rules_of_stream(spool, mask_file, variables);
  if (rules) {
    return std::unique_ptr<leaving_stream>{
        new leaving_stream{std::move(identity), *rules, std::move(parts)}};
  }
  spool::notice("no report is written: " + rules.error().text());
  return nullptr;
}

void leaving_stream::write_files(const view_options& wanted) {
  if (!wanted.junit.empty()) exports::write_junit(wanted.junit, rows_.fold());
  if (wanted.report.empty()) return;
  if (const auto why_not = exports::write_report(wanted.report, topics_.runs(), rules_))
    spool::notice(*why_not);
}

bool wants_files(const view_options& wanted, bool summarizes_step) {
  return !wanted.junit.empty() || !wanted.report.empty() || summarizes_step;
}

}  // namespace tofud
