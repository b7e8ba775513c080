#include "daemon/exports/markdown.hpp"

#include "daemon/exports/text.hpp"
#include "protocol/feed/causes.hpp"
#include "protocol/text/limits.hpp"
#include "protocol/text/markdown.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace tofud::exports {
namespace {

using text::markdown_block;
using text::markdown_code;

using feed::resource_row;
using feed::resource_status;

// "37.8 s": people compare, they don't calculate.
std::string rounded(std::chrono::microseconds duration) {
  using tenths = std::chrono::duration<std::int64_t, std::deci>;
  return seconds_text(std::chrono::round<tenths>(duration)) + " s";
}

// Adds pieces until the budget is spent, and counts the others.
class budget {
 public:
  budget(std::string& out, std::size_t limit) : out_{out}, limit_{limit} {}
  /// `make()` gives the piece; not asked any more once one did not fit.
  template <class Make>
  void add(Make make) {
    if (left_out_ > 0) {
      ++left_out_;
      return;
    }
    const std::string piece = make();
    if (out_.size() + piece.size() > limit_)
      ++left_out_;
    else
      out_.append(piece);
  }
  std::size_t left_out() const { return left_out_; }

 private:
  std::string& out_;
  std::size_t limit_;
  std::size_t left_out_ = 0;
};

std::string_view mark_of(resource_status status) {
  switch (status) {
    case resource_status::failed:
      return "❌ ";
    case resource_status::interrupted:
      return "⚠️ ";
    case resource_status::running:
      return "⏳ ";
    case resource_status::skipped:
    case resource_status::planned:
    case resource_status::drifted:
    case resource_status::done:
    case resource_status::unchanged:
      return "";
  }
  return "";
}

// Trouble first.
int rank(resource_status status) {
  constexpr std::array<resource_status, 5> order{
      resource_status::failed, resource_status::interrupted, resource_status::running,
      resource_status::skipped, resource_status::drifted};
  return static_cast<int>(std::find(order.begin(), order.end(), status) - order.begin());
}

std::string headline(const feed::run_view& run) {
  std::string text = "### " + std::string{mark(run.status)} + " " +
                     std::string{feed::name(run.command)} + " " +
                     std::string{feed::name(run.status)};
  if (!run.stack.empty()) text += ": " + markdown_code(run.stack);
  text += "\n\n";
  std::string facts;
  const auto add = [&](const std::string& fact) { facts += (facts.empty() ? "" : " · ") + fact; };
  if (run.applied)
    add(changes_text(*run.applied, tense::past));
  else if (run.planned)
    add(changes_text(*run.planned, tense::future));
  if (run.progress.total > 0 && run.command != feed::run_command::plan) {
    add(std::to_string(run.progress.done) + " of " + std::to_string(run.progress.total) + " done");
  }
  if (run.tests) {
    add(std::to_string(run.tests->passed) + " passed, " + std::to_string(run.tests->failed) +
        " failed, " + std::to_string(run.tests->errored) + " errored, " +
        std::to_string(run.tests->skipped) + " skipped");
  }
  if (run.diagnostics.errors > 0)
    add(std::to_string(run.diagnostics.errors) +
        (run.diagnostics.errors == 1 ? " error" : " errors"));
  if (run.diagnostics.warnings > 0)
    add(std::to_string(run.diagnostics.warnings) +
        (run.diagnostics.warnings == 1 ? " warning" : " warnings"));
  if (const auto duration = took(run)) add(rounded(*duration));
  add("run " + markdown_code(run.id));
  return text + facts + "\n";
}

std::string place(const feed::diagnostic_row& diagnostic) {
  std::string text;
  if (!diagnostic.address.empty()) text += " · " + markdown_code(diagnostic.address);
  if (diagnostic.range) {
    text += " · " + markdown_code(diagnostic.range->filename) + " line " +
            std::to_string(diagnostic.range->start.line);
  }
  return text;
}

void add_errors(std::string& out, const run_rows& run, std::size_t limit) {
  budget room{out, limit};
  for (const feed::diagnostic_row* each : run.diagnostics) {
    if (each->severity != "error") continue;
    room.add([&] {
      std::string piece = "\n**Error:** " + markdown_code(each->summary) + place(*each) + "\n";
      // One of a summary alone is said already.
      if (each->range || !each->detail.empty())
        piece += "\n" + markdown_block(diagnostic_text(*each));
      return piece;
    });
  }
  if (room.left_out() > 0) out += "\n… and " + std::to_string(room.left_out()) + " more errors\n";
}

// As code: an owner's name is to call nobody.
std::string said_of(const resource_row& resource) {
  if (resource.status != resource_status::failed && resource.status != resource_status::interrupted)
    return "";
  const feed::annotations& said = resource.source->said;
  std::string text;
  if (!said.owner.empty()) text += " · owner " + markdown_code(said.owner);
  if (!said.runbook.empty()) text += " · runbook " + markdown_code(said.runbook);
  return text;
}

std::string causes_of(const feed::causes& why) {
  std::string text;
  if (why.behind != nullptr) text += ", behind " + markdown_code(feed::in_words(*why.behind));
  if (why.strands.value_or(0) > 0) text += ", " + std::to_string(*why.strands) + " behind it";
  if (why.waiting_for != nullptr && !why.waiting_for->names.empty())
    text += ", waits for " + markdown_code(feed::in_words(*why.waiting_for));
  return text;
}

std::string table_row(const resource_row& resource) {
  std::string row = "| " + markdown_code(resource.addr) + said_of(resource) + " | ";
  const std::string action = action_text(resource);
  row += action.empty() ? "" : markdown_code(action);
  row += " | " + std::string{mark_of(resource.status)} + std::string{feed::name(resource.status)};
  if (resource.causes != nullptr) row += causes_of(*resource.causes);
  const auto duration = took(resource);
  return row + " | " + (duration ? rounded(*duration) : "") + " |\n";
}

void add_resources(std::string& out, const run_rows& run, std::size_t limit) {
  std::vector<const resource_row*> shown;
  for (const resource_row* each : run.resources) {
    if (each->status != resource_status::unchanged) shown.push_back(each);
  }
  if (shown.empty()) return;
  std::stable_sort(shown.begin(), shown.end(), [](const resource_row* a, const resource_row* b) {
    return rank(a->status) < rank(b->status);
  });
  out += "\n| resource | action | status | took |\n|---|---|---|---:|\n";
  budget room{out, limit};
  for (const resource_row* each : shown) room.add([&] { return table_row(*each); });
  if (room.left_out() > 0)
    out += "\n… and " + std::to_string(room.left_out()) + " more resources\n";
}

void add_tests(std::string& out, const run_rows& run, std::size_t limit) {
  if (run.test_runs.empty()) return;
  out += "\n| test file | run | status |\n|---|---|---|\n";
  budget room{out, limit};
  for (const feed::test_run_row* each : run.test_runs) {
    const bool bad = each->status == "fail" || each->status == "error";
    room.add([&] {
      return "| " + markdown_code(each->path) + " | " + markdown_code(each->name) + " | " +
             (bad ? "❌ " : "") + markdown_code(each->status) + " |\n";
    });
  }
  if (room.left_out() > 0) out += "\n… and " + std::to_string(room.left_out()) + " more tests\n";
}

void add_outputs(std::string& out, const run_rows& run, std::size_t limit) {
  if (run.outputs.empty()) return;
  std::string line = "\nOutputs: ";
  std::size_t left = run.outputs.size();
  for (const std::string_view name : run.outputs) {
    if (out.size() + line.size() > limit) break;
    line += (left == run.outputs.size() ? "" : ", ") + markdown_code(name);
    --left;
  }
  out += line + (left > 0 ? " and " + std::to_string(left) + " more" : "") + "\n";
}

}  // namespace

std::string_view mark(feed::run_status status) {
  switch (status) {
    case feed::run_status::running:
      return "⏳";
    case feed::run_status::succeeded:
      return "✅";
    case feed::run_status::failed:
      return "❌";
    case feed::run_status::interrupted:
    case feed::run_status::lost:
    case feed::run_status::unknown:
      return "⚠️";
  }
  return "";
}

std::string changes_text(const feed::change_counts& counts, tense of) {
  const bool past = of == tense::past;
  std::string text = std::to_string(counts.add) + (past ? " added, " : " to add, ") +
                     std::to_string(counts.change) + (past ? " changed, " : " to change, ") +
                     std::to_string(counts.remove) + (past ? " destroyed" : " to destroy");
  if (counts.import > 0)
    text = std::to_string(counts.import) + (past ? " imported, " : " to import, ") + text;
  if (counts.forget > 0)
    text += ", " + std::to_string(counts.forget) + (past ? " forgotten" : " to forget");
  return text;
}

std::string markdown_body(const run_rows& run, std::size_t room, beside_plan is) {
  std::string out;
  add_errors(out, run, std::min(limits::markdown_error_bytes, room / 2));
  add_tests(out, run, room);
  if (is == beside_plan::yes) return out;
  add_resources(out, run, room);
  add_outputs(out, run, room);
  return out;
}

std::string markdown(const std::vector<run_rows>& runs, std::size_t room) {
  std::string out;
  std::size_t left_out = 0;
  // A stream of many runs shares the room.
  const std::size_t count = std::max<std::size_t>(runs.size(), 1);
  const std::size_t share = room / count;
  const std::size_t errors = std::min(limits::markdown_error_bytes, room / 2) / count;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::string head = (out.empty() ? "" : "\n") + headline(runs[i].run);
    if (out.size() + head.size() > room) {
      ++left_out;
      continue;
    }
    const std::size_t begin = i * share;
    out += head;
    add_errors(out, runs[i], begin + errors);
    add_tests(out, runs[i], begin + share);
    add_resources(out, runs[i], begin + share);
    add_outputs(out, runs[i], begin + share);
  }
  if (left_out > 0) out += "\n… and " + std::to_string(left_out) + " more runs\n";
  return out;
}

}  // namespace tofud::exports
