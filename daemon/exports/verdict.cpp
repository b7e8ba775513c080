#include "daemon/exports/verdict.hpp"

#include "daemon/exports/limits.hpp"
#include "daemon/exports/text.hpp"
#include "protocol/diagnostics/reason.hpp"
#include "protocol/text/duration.hpp"
#include "protocol/text/readable.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace tofud::exports {
namespace {

namespace json = boost::json;

using feed::resource_status;
using feed::run_status;

/// OpenTofu 1.12.6, internal/command/clistate.
constexpr std::string_view lock_is_held = "Error acquiring the state lock";
/// internal/backend/local; recordings/emergency-state-dump.
constexpr std::string_view not_saved = "Failed to save state";
constexpr std::string_view not_persisted = "Failed to persist state to backend";

std::string short_text(std::string_view text) {
  return text::beginning(text::readable_line(text), limits::verdict_text_bytes);
}

const feed::resource_row* find(const run_rows& in, std::string_view addr) {
  const auto found = std::find_if(in.resources.begin(), in.resources.end(),
                                  [&](const auto* row) { return row->addr == addr; });
  return found == in.resources.end() ? nullptr : *found;
}

verdict::failure failure_of(const feed::resource_row* resource) {
  verdict::failure made;
  if (resource == nullptr) return made;
  made.addr = short_text(resource->addr);
  made.file = short_text(resource->source->file);
  made.line = resource->source->line;
  made.owner = short_text(resource->source->said.owner);
  made.runbook = short_text(resource->source->said.runbook);
  return made;
}

/// Errors as they came, then failed resources that no error is about.
void add_failures(verdict& to, const run_rows& of) {
  std::set<std::string_view> told;
  const auto add = [&to](verdict::failure one) {
    if (to.failures.size() < limits::verdict_items)
      to.failures.push_back(std::move(one));
    else
      ++to.more_failures;
  };
  for (const feed::diagnostic_row* each : of.diagnostics) {
    if (each->severity != "error") continue;
    told.insert(each->address);
    if (to.failures.size() >= limits::verdict_items) {
      ++to.more_failures;
      continue;
    }
    verdict::failure one = failure_of(find(of, each->address));
    if (one.addr.empty()) one.addr = short_text(each->address);
    one.summary = short_text(diagnostics::reason(*each));
    if (each->range) {
      one.file = short_text(each->range->filename);
      one.line = each->range->start.line;
    }
    add(std::move(one));
  }
  for (const feed::resource_row* each : of.resources) {
    if (each->status != resource_status::failed || told.contains(each->addr)) continue;
    add(failure_of(each));
  }
}

void add_stranded(verdict& to, const run_rows& of) {
  for (const feed::resource_row* each : of.resources) {
    const bool is_behind = each->causes != nullptr && each->causes->behind != nullptr;
    if (!is_behind || each->status != resource_status::skipped) continue;
    ++to.stranded.count;
    if (to.stranded.some.size() < limits::verdict_items)
      to.stranded.some.push_back(short_text(each->addr));
  }
  if (of.run.failures.worst) to.stranded.behind = short_text(of.run.failures.worst->addr);
}

std::string url_of(const run_rows& of) {
  for (const feed::label& each : of.run.labels) {
    if (each.key == "url" && each.value.starts_with("https://")) return short_text(each.value);
  }
  return "";
}

bool changes_state(feed::run_command command) {
  using enum feed::run_command;
  return command == apply || command == destroy || command == refresh || command == import;
}

void add_next(verdict& to, const run_rows& of) {
  const run_status status = of.run.status;
  const auto say = [&to](std::string sentence) { to.next.push_back(std::move(sentence)); };
  if (status == run_status::running) {
    const std::string url = url_of(of);
    if (of.run.phase == feed::run_phase::approval)
      say("It waits for an approval" + (url.empty() ? "." : ": " + url));
    else
      say("Follow it: tofud watch " + to.run);
    return;
  }
  if (status == run_status::succeeded) {
    if (of.run.command == feed::run_command::plan && to.planned && has_changes(*to.planned))
      say("Review the plan, then apply it.");
    return;
  }
  const bool is_locked = std::any_of(to.failures.begin(), to.failures.end(),
                                     [](const auto& each) { return each.summary == lock_is_held; });
  if (is_locked) {
    say("Wait until the run that holds the lock is over; do not unlock while it goes on.");
    return;
  }
  for (const verdict::failure& each : to.failures) {
    if (!each.runbook.empty()) {
      say("Read the runbook of " + each.addr + ": " + each.runbook);
      break;
    }
  }
  const bool is_unsaved = std::any_of(to.failures.begin(), to.failures.end(), [](const auto& each) {
    return each.summary == not_saved || each.summary == not_persisted;
  });
  const bool may_have_lost = status != run_status::failed || !to.interrupted.empty() || is_unsaved;
  if (changes_state(of.run.command) && may_have_lost)
    say("Objects may exist that the state does not have. Before anything is applied again: tofud "
        "recover " +
        to.run);
  if (to.stranded.count > 0 && !to.stranded.behind.empty())
    say("Mend " + to.stranded.behind + " first: most of what never began is behind it.");
  if (changes_state(of.run.command) && !may_have_lost) say("Mend what failed, then apply again.");
}

// ---- as JSON --------------------------------------------------------------------------------

void put(json::object& to, std::string_view name, const std::string& text) {
  if (!text.empty()) to[name] = text;
}
void put(json::object& to, std::string_view name, std::uint64_t count) {
  if (count > 0) to[name] = count;
}

void put(json::object& to, std::string_view name,
         const std::optional<feed::change_counts>& counts) {
  if (!counts) return;
  json::object& all = to[name].emplace_object();
  all["add"] = counts->add;
  all["change"] = counts->change;
  all["remove"] = counts->remove;
  all["import"] = counts->import;
  all["forget"] = counts->forget;
}

/// The first `most`.
void put(json::object& to, std::string_view name, const std::vector<std::string>& texts,
         std::size_t most) {
  json::array& all = to[name].emplace_array();
  for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) all.emplace_back(texts[i]);
}

json::object object_of(const verdict::failure& of) {
  json::object one;
  put(one, "address", of.addr);
  put(one, "summary", of.summary);
  put(one, "file", of.file);
  if (of.line > 0) one["line"] = of.line;
  put(one, "owner", of.owner);
  put(one, "runbook", of.runbook);
  return one;
}

/// With at most so many of each list.
std::string json_of(const verdict& of, std::size_t most) {
  const auto left = [most](std::uint64_t more, std::size_t told) {
    return more + (told > most ? told - most : 0);
  };
  json::object all;
  all["run"] = of.run;
  put(all, "stack", of.stack);
  all["command"] = of.command;
  all["status"] = of.status;
  if (!of.is_over) all["phase"] = of.phase;
  all["done"] = of.done;
  all["total"] = of.total;
  put(all, "planned", of.planned);
  put(all, "applied", of.applied);
  if (of.tests) {
    json::object& tests = all["tests"].emplace_object();
    tests["passed"] = of.tests->passed;
    tests["failed"] = of.tests->failed;
    tests["errored"] = of.tests->errored;
    tests["skipped"] = of.tests->skipped;
  }
  all["errors"] = of.errors;
  all["warnings"] = of.warnings;
  if (of.took) all["took_ms"] = std::chrono::round<std::chrono::milliseconds>(*of.took).count();
  json::array& failures = all["failures"].emplace_array();
  for (std::size_t i = 0; i < std::min(of.failures.size(), most); ++i)
    failures.emplace_back(object_of(of.failures[i]));
  put(all, "more_failures", left(of.more_failures, of.failures.size()));
  put(all, "interrupted", of.interrupted, most);
  put(all, "more_interrupted", left(of.more_interrupted, of.interrupted.size()));
  json::object stranded;
  stranded["count"] = of.stranded.count;
  put(stranded, "behind", of.stranded.behind);
  put(stranded, "some", of.stranded.some, most);
  all["stranded"] = std::move(stranded);
  put(all, "next", of.next, of.next.size());
  return json::serialize(all) + "\n";
}

std::string counts_text(const verdict& of) {
  if (of.tests)
    return std::to_string(of.tests->passed) + " passed, " +
           std::to_string(of.tests->failed + of.tests->errored) + " failed, " +
           std::to_string(of.tests->skipped) + " skipped";
  if (of.applied) return signs_text(*of.applied, tense::past);
  if (of.total > 0 && of.command != "plan")
    return std::to_string(of.done) + " of " + std::to_string(of.total) + " done";
  return of.planned ? signs_text(*of.planned, tense::future) : "";
}

}  // namespace

verdict verdict_of(const run_rows& of) {
  verdict made;
  made.run = short_text(of.run.id);
  made.stack = short_text(of.run.stack);
  made.command = feed::name(of.run.command);
  made.status = feed::name(of.run.status);
  made.phase = feed::name(of.run.phase);
  made.is_over = of.run.status != run_status::running;
  made.done = of.run.progress.done;
  made.total = of.run.progress.total;
  made.planned = of.run.planned;
  made.applied = of.run.applied;
  made.errors = of.run.diagnostics.errors;
  made.warnings = of.run.diagnostics.warnings;
  made.tests = of.run.tests;
  made.took = took(of.run);
  add_failures(made, of);
  for (const feed::resource_row* each : of.resources) {
    if (each->status != resource_status::interrupted) continue;
    if (made.interrupted.size() < limits::verdict_items)
      made.interrupted.push_back(short_text(each->addr));
    else
      ++made.more_interrupted;
  }
  add_stranded(made, of);
  add_next(made, of);
  return made;
}

std::string to_json(const verdict& of) {
  for (std::size_t most = limits::verdict_items;; --most) {
    std::string text = json_of(of, most);
    if (text.size() <= limits::verdict_bytes || most == 0) return text;
  }
}

std::string to_text(const verdict& of) {
  std::string text = std::string{of.command} + " " + std::string{of.status};
  if (!of.stack.empty()) text += ": " + of.stack;
  for (const std::string& fact :
       {counts_text(of), of.took ? text::duration(*of.took) : std::string{}, "run " + of.run}) {
    if (!fact.empty()) text += " · " + fact;
  }
  text += "\n";
  for (const verdict::failure& each : of.failures) {
    text += "failed: " + each.addr;
    if (!each.summary.empty()) text += (each.addr.empty() ? "" : ": ") + each.summary;
    if (!each.file.empty()) {
      text += " (" + each.file;
      if (each.line > 0) text += ":" + std::to_string(each.line);
      text += ")";
    }
    if (!each.owner.empty()) text += ", owner " + each.owner;
    text += "\n";
  }
  if (of.more_failures > 0) text += "and " + std::to_string(of.more_failures) + " more\n";
  for (const std::string& each : of.interrupted) text += "interrupted: " + each + "\n";
  if (of.more_interrupted > 0) text += "and " + std::to_string(of.more_interrupted) + " more\n";
  if (of.stranded.count > 0) {
    text += "never began: " + std::to_string(of.stranded.count);
    if (!of.stranded.behind.empty()) text += ", most behind " + of.stranded.behind;
    text += "\n";
  }
  for (const std::string& each : of.next) text += "next: " + each + "\n";
  return text;
}

}  // namespace tofud::exports
