#include "daemon/api/pages/run_rows.hpp"

#include "daemon/api/pages/html.hpp"
#include "daemon/api/pages/words.hpp"
#include "protocol/feed/age.hpp"
#include "protocol/text/duration.hpp"

#include <algorithm>

namespace tofud::pages {
namespace {

using feed::run_status;
using feed::run_view;

std::string took(const run_view& run, ui::time_point now) {
  if (!run.started_at) return "";
  if (run.status == run_status::running) {
    return text::duration(
        feed::age(*run.started_at, run.clock_offset, feed::run_goes_on::yes, now));
  }
  const auto taken = time_taken(run);
  return taken ? text::duration(*taken) : "";
}

std::string when(const run_view& run, ui::time_point now) {
  if (!run.started_at) return "<span class=\"faint\">no line yet</span>";
  const auto live =
      run.status == run_status::running ? feed::run_goes_on::yes : feed::run_goes_on::no;
  const auto began = feed::by_our_clock(*run.started_at, run.clock_offset, live);
  const auto age = feed::age(*run.started_at, run.clock_offset, live, now);
  std::string stamp;
  ui::append_timestamp(stamp, began);
  return "<time datetime=\"" + stamp + "\" title=\"" + time_text(began) + "\">" + age_text(age) +
         " ago" +
         (age < std::chrono::hours{48}
              ? ""
              : "<span class=\"date\">, " + time_text(began).substr(0, 10) + "</span>") +
         "</time>";
}

std::string progress(const run_view& run) {
  if (run.tests) {
    const auto& tests = *run.tests;
    return std::to_string(tests.passed) + "/" +
           std::to_string(tests.passed + tests.failed + tests.errored + tests.skipped) + " tests";
  }
  std::string text = feed::progress_text(run);
  if (run.diagnostics.errors > 0) {
    text += (text.empty() ? "" : ", ") + counted(run.diagnostics.errors, "error", "errors");
  }
  return text;
}

std::string contact(const run_view& run) {
  if (!run.contact || *run.contact == feed::run_contact::ok) return "";
  if (run.status != run_status::running && run.status != run_status::lost) return "";
  return " <span class=\"attention\">no contact</span>";
}

/// "apply +3 -1", "4 errors", "9/41".
std::string what(const run_view& run) {
  std::string text{name(run.command)};
  const auto add = [&text](std::string_view more) {
    if (!more.empty()) text.append(" ").append(more);
  };
  add(changes_text(run.applied ? run.applied : run.planned));
  const std::string done = progress(run);
  if (run.status != run_status::succeeded || run.tests) add(done);
  return text;
}

std::string link(const run_view& run, std::string_view root, const std::string& html) {
  return "<a href=\"" + href_of_run(run.id, root) + "\"><bdi>" + html + "</bdi></a>";
}

/// One link a row: the style sheet lets it cover the row.
std::string row(const run_view& run, ui::time_point now, rows_of shown) {
  const bool named = shown == rows_of::all_stacks;
  std::string out{"<tr data-run=\""};
  append_escaped(out, run.id);
  out.append("\"><td class=\"whole\">").append(state_words(run.status)).append(contact(run));
  if (named)
    out.append("</td>\n<td class=\"stack\">")
        .append(link(run, "./", stack_words(run.stack.empty() ? run.id : run.stack)));
  out.append("</td>\n<td class=\"").append(named ? "whole" : "stack").append("\">");
  out.append(named ? what(run) : link(run, "../", what(run)));
  out.append("</td>\n<td class=\"who\">").append(who_words(run));
  out.append("</td>\n<td class=\"whole\">").append(when(run, now));
  out.append("</td>\n<td class=\"whole\">").append(took(run, now)).append("</td></tr>\n");
  return out;
}

}  // namespace

std::optional<std::chrono::microseconds> time_taken(const run_view& run) {
  const auto& end = run.ended_at ? run.ended_at : run.last_line_at;
  if (!run.started_at || !end || run.status == run_status::running) return std::nullopt;
  return std::max(*end - *run.started_at, std::chrono::microseconds{0});  // clocks are set back
}

std::string who_words(const run_view& run) {
  std::string out;
  for (const std::string_view name : {"actor", "commit", "branch"}) {
    const auto found = std::find_if(run.labels.begin(), run.labels.end(),
                                    [&](const feed::label& each) { return each.key == name; });
    if (found == run.labels.end()) continue;
    std::string_view value{found->value};
    if (name == "commit") value = value.substr(0, 7);
    if (!out.empty()) out.push_back(' ');
    out.append("<bdi>").append(escaped(value)).append("</bdi>");
  }
  return out;
}

std::string state_words(run_status status) {
  std::string out{"<span class=\"state "};
  out.append(name(status)).append("\">").append(sign_of(status)).append(" ");
  return out.append(name(status)).append("</span>");
}

std::string stack_words(std::string_view whole) {
  const std::size_t slash = whole.rfind('/');
  const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  return "<span class=\"faint\">" + escaped(whole.substr(0, begin)) + "</span><strong>" +
         escaped(whole.substr(begin)) + "</strong>";
}

std::string runs_table(const std::vector<run_view>& runs, ui::time_point now, rows_of shown) {
  std::string out{"<table class=\"runs\">\n<thead><tr><th>Status</th>"};
  if (shown == rows_of::all_stacks) out.append("<th>Stack</th>");
  out.append(
      "<th>Run</th><th>Who (claimed)</th><th>Began</th><th>Took</th></tr></thead>\n<tbody>\n");
  for (const run_view& run : runs) out.append(row(run, now, shown));
  return out.append("</tbody>\n</table>\n");
}

}  // namespace tofud::pages
