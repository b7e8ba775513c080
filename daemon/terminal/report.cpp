#include "daemon/terminal/report.hpp"

#include "daemon/terminal/style.hpp"
#include "protocol/diagnostics/diagnostic.hpp"
#include "protocol/feed/annotations.hpp"
#include "protocol/feed/causes.hpp"
#include "protocol/text/duration.hpp"

#include <algorithm>

namespace tofud::terminal {
namespace {

using feed::resource_row;
using feed::resource_status;
using feed::run_command;
using feed::run_status;
using feed::step;
using feed::step_status;

constexpr std::size_t slowest_shown = 5;
constexpr std::size_t listed = 20;  // of failed and of unfinished resources; a log is no table

std::string headline(const feed::diagnostic_row& diagnostic) {
  return one_line(diagnostics::headline(diagnostic));
}

/// Data sources that were read: they are no part of what OpenTofu counts.
std::uint64_t reads_of(const finished_run& run) {
  return static_cast<std::uint64_t>(
      std::count_if(run.resources.begin(), run.resources.end(), [](const resource_row* resource) {
        return resource->status == resource_status::done && resource->mode() == "data";
      }));
}

/// ", 9 behind aws_db.main": of what was skipped, what the failure with most behind it did that to.
std::string behind_of(const feed::run_view& run) {
  if (!run.failures.worst) return "";
  return ", " + std::to_string(run.failures.worst->count) + " behind " +
         one_line(run.failures.worst->addr);
}

std::string outcome(const finished_run& finished) {
  const feed::run_view& run = finished.run;
  std::string text{feed::name(run.command)};
  text.append(" ").append(feed::name(run.status));
  // When a run ended that was lost, nobody knows.
  if (run.started_at && run.ended_at && run.status != run_status::lost)
    text += " after " + text::duration(*run.ended_at - *run.started_at);
  std::string counts;
  const auto add = [&](std::uint64_t count, std::string_view word) {
    if (count == 0) return;
    counts += counts.empty() ? "" : ", ";
    counts.append(std::to_string(count)).append(" ").append(word);
  };
  const std::uint64_t reads = reads_of(finished);
  for (std::size_t i = 0; i < feed::resource_statuses; ++i) {
    const auto status = static_cast<resource_status>(i);
    if (status != resource_status::done) {
      add(run.counts[i], feed::name(status));
      if (status == resource_status::skipped && run.counts[i] > 0) counts += behind_of(run);
      continue;
    }
    add(run.counts[i] - std::min(reads, run.counts[i]), feed::name(status));
    add(reads, "read");
  }
  if (run.tests) {
    counts = std::to_string(run.tests->passed) + " passed, " + std::to_string(run.tests->failed) +
             " failed, " + std::to_string(run.tests->errored) + " errored, " +
             std::to_string(run.tests->skipped) + " skipped";
  }
  if (!counts.empty()) text += ": " + counts;
  return text;
}

// The first error of a resource, else the first diagnostic that names it.
std::string reason(const finished_run& run, const resource_row& resource) {
  const feed::diagnostic_row* found = nullptr;
  for (const std::uint32_t ordinal : resource.diagnostics) {
    if (ordinal == 0 || ordinal > run.diagnostics.size()) continue;
    const feed::diagnostic_row* each = run.diagnostics[ordinal - 1];
    if (found == nullptr || (found->severity != "error" && each->severity == "error")) found = each;
  }
  return found == nullptr ? std::string{} : ": " + headline(*found);
}

std::string said_of(const resource_row& resource) {
  std::string words = one_line(feed::in_words(resource.source->said));
  if (!words.empty()) words = " · " + words;
  if (resource.causes == nullptr) return words;
  if (resource.causes->strands.value_or(0) > 0)
    words += " · " + std::to_string(*resource.causes->strands) + " behind it";
  if (resource.causes->behind != nullptr)
    words += " · behind " + one_line(feed::in_words(*resource.causes->behind));
  return words;
}

void list(std::vector<std::string>& lines, std::string_view title, const finished_run& run,
          resource_status wanted) {
  std::size_t count = 0;
  for (const resource_row* resource : run.resources) {
    if (resource->status != wanted) continue;
    if (count == 0) lines.emplace_back(title);
    if (++count <= listed)
      lines.push_back("  " + one_line(resource->addr) + reason(run, *resource) +
                      said_of(*resource));
  }
  if (count > listed) lines.push_back("  and " + std::to_string(count - listed) + " more");
}

void list_errors_of_no_resource(std::vector<std::string>& lines, const finished_run& run) {
  std::size_t count = 0;
  for (const feed::diagnostic_row* diagnostic : run.diagnostics) {
    if (diagnostic->severity != "error" || !diagnostic->address.empty()) continue;
    if (count == 0) lines.emplace_back("errors:");
    if (++count <= listed) lines.push_back("  " + headline(*diagnostic));
  }
  if (count > listed) lines.push_back("  and " + std::to_string(count - listed) + " more");
}

void list_slowest(std::vector<std::string>& lines, const finished_run& run) {
  const auto steps = slowest_of(run);
  if (!steps.empty()) lines.emplace_back("slowest:");
  for (const slow_step& each : steps) {
    lines.push_back("  " + text::duration(each.took) + "  " +
                    std::string{feed::name(each.done->action)} + " " +
                    one_line(each.resource->addr));
  }
}

std::chrono::microseconds time_of(double seconds) {
  return std::chrono::microseconds{static_cast<std::int64_t>(seconds * 1e6)};
}

void list_estimates(std::vector<std::string>& lines, const finished_run& run) {
  if (!run.estimates.empty()) lines.emplace_back("estimated:");
  for (const history::said_estimate& each : run.estimates) {
    lines.push_back("  at " + std::to_string(each.at) + " %: " + text::duration(time_of(each.p50)) +
                    " to " + text::duration(time_of(each.p80)) + " left; it took " +
                    text::duration(time_of(each.left)));
  }
}

}  // namespace

std::vector<slow_step> slowest_of(const finished_run& run) {
  std::vector<slow_step> steps;
  for (const resource_row* resource : run.resources) {
    for (const step& each : resource->steps) {
      if (each.phase != feed::run_phase::apply || !each.started_at || !each.ended_at) continue;
      steps.push_back({*each.ended_at - *each.started_at, resource, &each});
    }
  }
  const std::size_t shown = std::min(slowest_shown, steps.size());
  std::partial_sort(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(shown), steps.end(),
                    [](const slow_step& a, const slow_step& b) {
                      if (a.took != b.took) return a.took > b.took;
                      return a.resource->addr < b.resource->addr;
                    });
  steps.resize(shown);
  return steps;
}

std::vector<std::string> report(const finished_run& run) {
  std::vector<std::string> lines;
  lines.push_back(outcome(run));
  list(lines, "failed:", run, resource_status::failed);
  list_errors_of_no_resource(lines, run);
  list(lines, "never finished:", run, resource_status::interrupted);
  list_slowest(lines, run);
  // A run that failed did not make them, and a destroy removed them.
  const bool has_outputs =
      run.run.status == run_status::succeeded && run.run.command != run_command::destroy;
  if (has_outputs && !run.outputs.empty()) {
    std::string names = "outputs: ";
    for (std::size_t i = 0; i < run.outputs.size(); ++i) {
      names.append(i > 0 ? ", " : "").append(one_line(run.outputs[i]));
    }
    lines.push_back(std::move(names));
  }
  list_estimates(lines, run);
  return lines;
}

}  // namespace tofud::terminal
