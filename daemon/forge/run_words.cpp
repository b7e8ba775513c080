#include "daemon/forge/run_words.hpp"

#include "daemon/exports/markdown.hpp"
#include "daemon/exports/text.hpp"
#include "daemon/forge/limits.hpp"
#include "protocol/text/duration.hpp"
#include "protocol/text/readable.hpp"
#include "protocol/ui/timestamp.hpp"

#include <algorithm>
#include <utility>

namespace tofud::forge {
namespace {

using exports::tense;
using feed::run_status;

risk risk_of(const feed::run_view& run, of_run what) {
  if (run.status != run_status::succeeded) return risk::failed;
  if (what == of_run::apply) return risk::applied;
  if (!run.planned || !exports::has_changes(*run.planned)) return risk::none;
  return run.planned->remove > 0 ? risk::destroys : risk::changes;
}

/// "14:31 UTC".
std::string time_of_day(ui::time_point at) {
  std::string text;
  ui::append_timestamp(text, at);
  constexpr std::size_t date = 11, minutes = 5;  // 2026-11-25T14:31:07.000000Z
  return text.substr(date, minutes) + " UTC";
}

/// "plan", "applied 14:31 UTC in 2m10s", "apply failed 14:31 UTC after 12s".
std::string what_became(const feed::run_view& run, of_run what) {
  std::string text{feed::name(run.command)};
  const bool is_done = run.status == run_status::succeeded;
  if (is_done && what == of_run::apply)
    text = run.command == feed::run_command::apply ? "applied" : text + " done";
  else if (run.status == run_status::running)
    text += " is running";
  else if (!is_done)
    text += " " + std::string{feed::name(run.status)};
  if (run.ended_at) text += " " + time_of_day(*run.ended_at);
  const auto took = exports::took(run);
  if (run.ended_at && took) text += (is_done ? " in " : " after ") + text::duration(*took);
  return text;
}

std::string counted(std::uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string{what} + (count == 1 ? "" : "s");
}

/// "3 to add, 1 to change, 2 to destroy", "no changes", "2 of 7 done".
std::string changes_of(const feed::run_view& run, of_run what) {
  if (what == of_run::apply && run.applied) return exports::changes_text(*run.applied, tense::past);
  if (what == of_run::apply && run.progress.total > 0)
    return std::to_string(run.progress.done) + " of " + std::to_string(run.progress.total) +
           " done";
  if (!run.planned) return "";
  if (!exports::has_changes(*run.planned)) return "no changes";
  return exports::changes_text(*run.planned, tense::future);
}

/// "[open the run](PAGE)"; "" if it can't be a link.
std::string link(const std::string& page) {
  return is_link(page) ? "[open the run](" + page + ")" : std::string{};
}

}  // namespace

bool is_link(std::string_view page) {
  constexpr std::string_view good =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#@!$&'*+,;=%";
  return page.starts_with("https://") && page.find_first_not_of(good) == std::string_view::npos;
}

std::optional<of_run> kind_of(const feed::run_view& run) {
  using enum feed::run_command;
  if (run.command == plan) return of_run::plan;
  if (run.command == apply || run.command == destroy || run.command == refresh)
    return of_run::apply;
  return {};
}

contribution contribution_of(const exports::run_rows& of, of_run what, const std::string& page,
                             const exports::plan_writer& plan) {
  const feed::run_view& run = of.run;
  contribution made{run.stack, what, {}};
  made.said.run = run.id;
  if (run.started_at) ui::append_timestamp(made.said.began, *run.started_at);
  made.said.of = risk_of(run, what);
  std::string& head = made.said.head;
  head = std::string{exports::mark(run.status)} + " **" + what_became(run, what) + "**";
  auto add = [&head, is_first = true](const std::string& fact) mutable {
    if (fact.empty()) return;
    head += (is_first ? ": " : " · ") + fact;
    is_first = false;
  };
  add(changes_of(run, what));
  if (run.diagnostics.errors > 0) add(counted(run.diagnostics.errors, "error"));
  if (run.diagnostics.warnings > 0) add(counted(run.diagnostics.warnings, "warning"));
  add(link(page));
  std::string drawn;
  if (what == of_run::plan) plan(drawn, limits::forge_comment_bytes / 2);
  // "### Plan: …", which the head has said.
  if (drawn.starts_with('#')) drawn.erase(0, std::min(drawn.find('\n'), drawn.size()));
  made.said.rest =
      exports::markdown_body(of, limits::forge_comment_bytes / 2,
                             drawn.empty() ? exports::beside_plan::no : exports::beside_plan::yes);
  made.said.rest += drawn;
  return made;
}

commit_status status_of(const feed::run_view& run, of_run what, const std::string& page) {
  commit_status made;
  made.state = run.status == run_status::succeeded ? state::success
               : run.status == run_status::running ? state::pending
                                                   : state::failure;
  const std::string stack = text::readable_line(run.stack);
  made.context = std::string{"tofud/"} + (what == of_run::plan ? "plan" : "apply") +
                 (stack.empty() ? "" : "/" + stack);
  made.context = text::beginning(made.context, limits::forge_context_bytes);
  std::string words;
  if (run.status == run_status::succeeded && what == of_run::plan)
    words = run.planned && exports::has_changes(*run.planned)
                ? exports::signs_text(*run.planned, tense::future)
                : "no changes";
  else if (run.status == run_status::succeeded)
    words = (run.applied ? exports::signs_text(*run.applied, tense::past) + ", " : "") +
            what_became(run, what);
  else
    words = what_became(run, what) +
            (run.diagnostics.errors > 0 ? ", " + counted(run.diagnostics.errors, "error") : "");
  made.description = text::beginning(words, limits::forge_description_bytes);
  if (is_link(page)) made.page = page;
  return made;
}

}  // namespace tofud::forge
