#include "daemon/api/pages/run_list.hpp"

#include "daemon/api/pages/html.hpp"
#include "daemon/api/pages/search_words.hpp"
#include "daemon/api/pages/words.hpp"
#include "protocol/feed/age.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/text/percent.hpp"

#include <algorithm>
#include <array>

namespace tofud::pages {
namespace {

using feed::run_status;
using feed::run_view;

bool is_filtered(const run_search& asked) { return asked != run_search{}; }

std::string title(const run_list& list) {
  const auto count = [&](run_status status) {
    return std::count_if(list.runs.begin(), list.runs.end(),
                         [&](const run_view& run) { return run.status == status; });
  };
  std::string text;
  if (const auto failed = count(run_status::failed); failed > 0) {
    text += "✗ " + std::to_string(failed) + " · ";
  }
  if (const auto running = count(run_status::running); running > 0) {
    text += "▶ " + std::to_string(running) + " · ";
  }
  const bool all = list.from_the_newest && list.next.empty();
  text += (all ? "" : "part of the runs: ") + counted(list.runs.size(), "run", "runs");
  return text + " · tofud";
}

std::string address(const run_search& asked, std::string_view cursor) {
  std::string href{"runs"};
  const auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    href.append(href.find('?') == std::string::npos ? "?" : "&").append(name).append("=");
    text::append_percent_encoded(href, value);
  };
  add("status", asked.status);
  add("stack", asked.stack);
  add("label", asked.label);
  add("since", asked.since);
  add("until", asked.until);
  add("q", asked.q);
  add("cursor", cursor);
  return escaped(href);
}

/// The stacks that are known, as words of the search field.
std::string datalist(const std::vector<std::string>& stacks) {
  if (stacks.empty()) return "";
  std::string out{"<datalist id=\"stacks\">"};
  for (std::size_t i = 0; i < std::min(stacks.size(), limits::listed_views); ++i) {
    if (stacks[i].empty()) continue;
    run_search of_it;
    of_it.stack = stacks[i];
    out.append("<option value=\"").append(escaped(words_of(of_it))).append("\"></option>");
  }
  return out.append("</datalist>\n");
}

std::string form(const run_search& asked, const std::vector<std::string>& stacks) {
  std::string out{
      "<form method=\"get\" action=\"runs\" role=\"search\">\n<label>Search <input type=\"search\" "
      "name=\"q\" placeholder=\"stack, person, commit, label…\" value=\""};
  append_escaped(out, words_of(asked));
  out.append("\"").append(stacks.empty() ? "" : " list=\"stacks\"").append("></label>\n");
  out.append(datalist(stacks)).append("<button>Search</button>\n");
  if (is_filtered(asked)) out.append("<a class=\"all\" href=\"runs\">All runs</a>\n");
  out.append(
      "</form>\n<details class=\"faint\"><summary>What can be searched for</summary>\n"
      "<p>Words of stacks, runs and labels; <code>stack:NAME</code>, <code>status:failed</code>, "
      "<code>actor:ada</code>, <code>commit:</code>, <code>branch:</code>, "
      "<code>label:KEY=VALUE</code>, <code>since:24h</code>, <code>until:2026-11-21</code> (UTC). "
      "A value with blanks stands in double quotes.</p></details>\n");
  return out;
}

/// The same search in one state.
std::string tabs(const run_search& asked) {
  std::string out{"<nav class=\"tabs\" aria-label=\"state\">"};
  const auto tab = [&](std::string_view status, std::string_view shown) {
    run_search of_it = asked;
    of_it.status = status;
    out.append("<a href=\"").append(address(of_it, "")).push_back('"');
    if (asked.status == status) out.append(" aria-current=\"page\"");
    out.append(">").append(shown).append("</a>\n");
  };
  tab("", "All");
  for (std::size_t i = 0; i < feed::run_statuses; ++i) {
    const auto word = name(static_cast<run_status>(i));
    tab(word, word);
  }
  return out.append("</nav>\n");
}

std::string took(const run_view& run, ui::time_point now) {
  if (!run.started_at) return "";
  if (run.status == run_status::running) {
    return duration_text(feed::age(*run.started_at, run.clock_offset, feed::run_goes_on::yes, now));
  }
  const auto& end = run.ended_at ? run.ended_at : run.last_line_at;
  return end ? duration_text(*end - *run.started_at) : "";
}

std::string when(const run_view& run, ui::time_point now) {
  if (!run.started_at) return "<span class=\"faint\">no line yet</span>";
  const auto live =
      run.status == run_status::running ? feed::run_goes_on::yes : feed::run_goes_on::no;
  const auto began = feed::by_our_clock(*run.started_at, run.clock_offset, live);
  std::string stamp;
  ui::append_timestamp(stamp, began);
  return "<time datetime=\"" + stamp + "\" title=\"" + time_text(began) + "\">" +
         age_text(feed::age(*run.started_at, run.clock_offset, live, now)) + " ago</time>";
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

std::string state(const run_view& run) {
  std::string out{"<span class=\"state "};
  out.append(name(run.status)).append("\">").append(sign_of(run.status)).append(" ");
  return out.append(name(run.status)).append("</span>");
}

/// `main/net@prod`: the last part in bold, since it tells stacks apart.
std::string stack(const run_view& run) {
  const std::string_view whole = run.stack.empty() ? std::string_view{run.id} : run.stack;
  const std::size_t slash = whole.rfind('/');
  const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  return "<a href=\"" + href_of_run(run.id) + "\"><bdi><span class=\"faint\">" +
         escaped(whole.substr(0, begin)) + "</span><strong>" + escaped(whole.substr(begin)) +
         "</strong></bdi></a>";
}

/// Who the sender says it was: whoever has a token of scope ingest can say anything.
std::string who(const run_view& run) {
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

/// One link a row: the style sheet lets it cover the row.
std::string row(const run_view& run, ui::time_point now) {
  std::string out{"<tr data-run=\""};
  append_escaped(out, run.id);
  out.append("\"><td class=\"whole\">").append(state(run)).append(contact(run));
  out.append("</td>\n<td class=\"stack\">").append(stack(run));
  out.append("</td>\n<td class=\"whole\">").append(what(run)).append("</td>\n<td class=\"who\">");
  out.append(who(run)).append("</td>\n<td class=\"whole\">").append(when(run, now));
  out.append("</td>\n<td class=\"whole\">").append(took(run, now)).append("</td></tr>\n");
  return out;
}

}  // namespace

std::string run_list_page(const run_list& list) {
  std::string out = page_start({title(list)});
  out.append("<h1>Runs</h1>\n").append(form(list.asked, list.stacks)).append(tabs(list.asked));
  if (!list.problem.empty()) {
    out.append("<p role=\"alert\" class=\"failed\">").append(escaped(list.problem));
    out.append("</p>\n");
  } else if (list.runs.empty()) {
    out.append(element("p", "",
                       is_filtered(list.asked)
                           ? "No run matches."
                           : "No runs yet. A run appears here when it is sent."));
  } else {
    out.append(
        "<table class=\"runs\">\n<thead><tr><th>Status</th><th>Stack</th><th>Run</th><th>Who "
        "(claimed)</th><th>Began</th><th>Took</th></tr></thead>\n<tbody>\n");
    for (const run_view& run : list.runs) out.append(row(run, list.now));
    out.append("</tbody>\n</table>\n");
  }
  if (!list.from_the_newest) {
    out.append("<p><a href=\"").append(address(list.asked, "")).append("\">Newest runs</a></p>\n");
  }
  if (!list.next.empty()) {
    out.append("<p><a rel=\"next\" href=\"").append(address(list.asked, list.next));
    out.append("\">Older runs</a></p>\n");
  }
  return out.append(page_end());
}

}  // namespace tofud::pages
