#include "daemon/exports/text.hpp"

#include "protocol/diagnostics/diagnostic.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>

namespace tofud::exports {

using std::chrono::microseconds;

std::string seconds_text(microseconds duration) {
  const auto millis = std::max<std::int64_t>(duration.count(), 0) / 1000;
  std::string text = std::to_string(millis / 1000);
  if (millis % 1000 == 0) return text;
  std::string decimals = std::to_string(1000 + millis % 1000);
  decimals.front() = '.';
  decimals.resize(decimals.find_last_not_of('0') + 1);
  return text + decimals;
}

std::optional<microseconds> took(const feed::resource_row& resource) {
  std::optional<microseconds> all;
  std::optional<microseconds> applying;
  for (const feed::step& step : resource.steps) {
    if (!step.started_at || !step.ended_at) continue;
    // Stamps step back by up to 0.7 s.
    const microseconds each = std::max(*step.ended_at - *step.started_at, microseconds{0});
    all = all.value_or(microseconds{0}) + each;
    if (step.phase == feed::run_phase::apply) {
      applying = applying.value_or(microseconds{0}) + each;
    }
  }
  return applying ? applying : all;
}

std::optional<microseconds> took(const feed::run_view& run) {
  const auto end = run.ended_at ? run.ended_at : run.last_line_at;
  if (!run.started_at || !end) return std::nullopt;
  return std::max(*end - *run.started_at, microseconds{0});
}

std::string action_text(const feed::resource_row& resource) {
  std::string text;
  const auto add = [&](std::string_view action) {
    text.append(text.empty() ? "" : " ").append(action);
  };
  for (const feed::planned& planned : resource.plan) add(planned.action);
  if (!text.empty()) return text;
  for (const feed::step& step : resource.steps) {
    if (step.action != feed::step_action::refresh) add(feed::name(step.action));
  }
  return text;
}

std::string diagnostic_text(const feed::diagnostic_row& diagnostic) {
  diagnostics::diagnostic_drawing wanted;
  wanted.width = 0;  // whoever shows it wraps it
  wanted.filter = text::readable;
  std::string text = diagnostics::draw(diagnostic, wanted);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::vector<const feed::diagnostic_row*> diagnostics_of(const run_rows& run,
                                                        const feed::resource_row& resource,
                                                        std::string_view severity) {
  std::vector<const feed::diagnostic_row*> found;
  for (const std::uint32_t ordinal : resource.diagnostics) {
    if (ordinal == 0 || ordinal > run.diagnostics.size()) continue;
    const feed::diagnostic_row* each = run.diagnostics[ordinal - 1];
    if (each->severity == severity) found.push_back(each);
  }
  return found;
}

bool has_changes(const feed::change_counts& counts) {
  return counts.add + counts.change + counts.import + counts.remove + counts.forget > 0;
}

std::string signs_text(const feed::change_counts& counts, tense of) {
  const bool past = of == tense::past;
  std::string text = "+" + std::to_string(counts.add) + " ~" + std::to_string(counts.change) +
                     " -" + std::to_string(counts.remove);
  if (counts.import > 0)
    text += ", " + std::to_string(counts.import) + (past ? " imported" : " to import");
  if (counts.forget > 0)
    text += ", " + std::to_string(counts.forget) + (past ? " forgotten" : " to forget");
  return text;
}

}  // namespace tofud::exports
