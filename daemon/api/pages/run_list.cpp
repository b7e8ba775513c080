#include "daemon/api/pages/run_list.hpp"

#include "daemon/api/pages/html.hpp"
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

std::string datalist(const std::vector<std::string>& stacks) {
  if (stacks.empty()) return "";
  std::string out{"<datalist id=\"stacks\">"};
  for (std::size_t i = 0; i < std::min(stacks.size(), limits::listed_views); ++i) {
    if (stacks[i].empty()) continue;
    out.append("<option value=\"").append(escaped(stacks[i])).append("\"></option>");
  }
  return out.append("</datalist>\n");
}

std::string form(const run_search& asked, const std::vector<std::string>& stacks) {
  std::string out{"<form method=\"get\" action=\"runs\">\n<label>Status <select name=\"status\">"};
  const auto option = [&](std::string_view value, std::string_view shown) {
    out.append("<option value=\"").append(value).push_back('"');
    if (asked.status == value) out.append(" selected");
    out.append(">").append(shown).append("</option>");
  };
  option("", "any");
  for (std::size_t i = 0; i < feed::run_statuses; ++i) {
    const auto word = name(static_cast<run_status>(i));
    option(word, word);
  }
  const auto field = [&](std::string_view label, std::string_view name, std::string_view hint,
                         std::string_view value, std::string_view more = "") {
    out.append("<label>").append(label).append(" <input type=\"search\" name=\"").append(name);
    out.append("\" placeholder=\"").append(hint).append("\" value=\"");
    append_escaped(out, value);
    out.append("\"").append(more).append("></label>\n");
  };
  out.append("</select></label>\n");
  field("Stack", "stack", "its exact name", asked.stack, stacks.empty() ? "" : " list=\"stacks\"");
  field("Label", "label", "branch=main", asked.label);
  field("Since (UTC)", "since", "2026-11-21 or 24h", asked.since);
  field("Until (UTC)", "until", "2026-11-21 or 24h", asked.until);
  field("Text", "q", "stack, run or label", asked.q);
  out.append(datalist(stacks)).append("<button>Search</button>\n");
  if (is_filtered(asked)) out.append("<a class=\"all\" href=\"runs\">All runs</a>\n");
  return out.append("</form>\n");
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

std::string search_link(const run_search& asked, std::string_view shown) {
  return "<a href=\"" + address(asked, "") + "\"><bdi>" + escaped(shown) + "</bdi></a>";
}

std::string labels(const run_view& run, const run_search& asked) {
  std::string out;
  for (const feed::label& label : run.labels) {
    if (!out.empty()) out.append(" ");
    const std::string text = label.key + "=" + label.value;
    run_search narrower = asked;
    narrower.label = text;
    // A job's address leads there; then the name of the label leads to the runs that have it.
    if (label.value.starts_with("https://")) {
      out.append(search_link(narrower, label.key)).append("=<a rel=\"noreferrer\" href=\"");
      out.append(escaped(label.value)).append("\"><bdi>").append(escaped(label.value));
      out.append("</bdi></a>");
    } else {
      out.append(search_link(narrower, text));
    }
  }
  return out;
}

std::string state(const run_view& run, const run_search& asked) {
  run_search narrower = asked;
  narrower.status = name(run.status);
  std::string out{"<span class=\"state "};
  out.append(name(run.status)).append("\">").append(sign_of(run.status)).append(" ");
  return out.append(search_link(narrower, name(run.status))).append("</span>");
}

/// To all there is of the stack, whatever was asked for.
std::string stack(const run_view& run) {
  if (run.stack.empty()) return "<span class=\"faint\">no stack</span>";
  run_search all;
  all.stack = run.stack;
  return search_link(all, run.stack);
}

std::string contact(const run_view& run) {
  if (!run.contact || *run.contact == feed::run_contact::ok) return "";
  if (run.status != run_status::running && run.status != run_status::lost) return "";
  return " <span class=\"attention\">no contact</span>";
}

std::string row(const run_view& run, const run_search& asked, ui::time_point now) {
  std::string out{"<tr><td class=\"whole\"><a href=\""};
  out.append(href_of_run(run.id)).append("\"><bdi>").append(escaped(run.id));
  out.append("</bdi></a></td>\n<td class=\"whole\">").append(state(run, asked));
  out.append(contact(run)).append("</td>\n<td>").append(name(run.command));
  out.append("</td>\n<td>").append(stack(run)).append("<div class=\"labels\">");
  // Whoever has a token of scope ingest can say anything.
  if (!run.labels.empty()) out.append("<span class=\"faint\">claimed:</span> ");
  out.append(labels(run, asked)).append("</div></td>\n<td>");
  out.append(progress(run)).append("</td>\n<td class=\"whole\">").append(when(run, now));
  out.append("</td>\n<td class=\"whole\">").append(took(run, now)).append("</td></tr>\n");
  return out;
}

}  // namespace

std::string run_list_page(const run_list& list) {
  std::string out = page_start({title(list)});
  out.append("<h1>Runs</h1>\n").append(form(list.asked, list.stacks));
  if (!list.problem.empty()) {
    out.append("<p role=\"alert\" class=\"failed\">").append(escaped(list.problem));
    out.append("</p>\n");
  } else if (list.runs.empty()) {
    out.append(element("p", "",
                       is_filtered(list.asked)
                           ? "No run matches."
                           : "No runs yet. `tofud run -- tofu apply` records one."));
  } else {
    out.append(
        "<table>\n<thead><tr><th>Run</th><th>Status</th><th>Command</th><th>Stack</th>"
        "<th>Done</th><th>Began</th><th>Took</th></tr></thead>\n<tbody>\n");
    for (const run_view& run : list.runs) out.append(row(run, list.asked, list.now));
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
