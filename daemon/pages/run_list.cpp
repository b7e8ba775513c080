#include "daemon/pages/run_list.hpp"

#include "daemon/pages/html.hpp"
#include "daemon/pages/words.hpp"
#include "protocol/feed/age.hpp"
#include "protocol/feed/percent.hpp"

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

std::string form(const run_search& asked) {
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
                         std::string_view value) {
    out.append("<label>").append(label).append(" <input type=\"search\" name=\"").append(name);
    out.append("\" placeholder=\"").append(hint).append("\" value=\"");
    append_escaped(out, value);
    out.append("\"></label>\n");
  };
  out.append("</select></label>\n");
  field("Label", "label", "branch=main", asked.label);
  field("Text", "q", "stack, run or label", asked.q);
  return out.append("<button>Search</button>\n</form>\n");
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
  std::string text;
  if (run.progress_total > 0) {
    text = std::to_string(run.progress_done) + "/" + std::to_string(run.progress_total);
  }
  if (run.errors > 0) {
    text += (text.empty() ? "" : ", ") + counted(run.errors, "error", "errors");
  }
  return text;
}

std::string labels(const run_view& run) {
  std::string out;
  for (const feed::label& label : run.labels) {
    if (!out.empty()) out.append(" ");
    // A job's address is worth a link; anything else that a label says is only text.
    const bool is_link = label.value.starts_with("https://");
    out.append("<bdi>").append(escaped(label.key)).append("=");
    if (is_link) {
      out.append("<a rel=\"noreferrer\" href=\"").append(escaped(label.value)).append("\">");
    }
    out.append(escaped(label.value)).append(is_link ? "</a></bdi>" : "</bdi>");
  }
  return out;
}

std::string contact(const run_view& run) {
  if (!run.contact || *run.contact == feed::run_contact::ok) return "";
  if (run.status != run_status::running && run.status != run_status::lost) return "";
  return " <span class=\"attention\">no contact</span>";
}

std::string row(const run_view& run, ui::time_point now) {
  std::string out{"<tr><td class=\"whole\"><a href=\""};
  out.append(href_of_run(run.id)).append("\"><bdi>").append(escaped(run.id));
  out.append("</bdi></a></td>\n<td class=\"whole\"><span class=\"state ");
  out.append(name(run.status)).append("\">").append(sign_of(run.status)).append(" ");
  out.append(name(run.status)).append("</span>").append(contact(run)).append("</td>\n<td>");
  out.append(name(run.command)).append("</td>\n<td><bdi>").append(escaped(run.stack));
  out.append("</bdi><div class=\"labels\">").append(labels(run)).append("</div></td>\n<td>");
  out.append(progress(run)).append("</td>\n<td class=\"whole\">").append(when(run, now));
  out.append("</td>\n<td class=\"whole\">").append(took(run, now)).append("</td></tr>\n");
  return out;
}

std::string address(const run_search& asked, std::string_view cursor) {
  std::string href{"runs"};
  const auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    href.append(href.find('?') == std::string::npos ? "?" : "&").append(name).append("=");
    feed::append_percent_encoded(href, value);
  };
  add("status", asked.status);
  add("label", asked.label);
  add("q", asked.q);
  add("cursor", cursor);
  return escaped(href);
}

}  // namespace

std::string run_list_page(const run_list& list) {
  std::string out = page_start({title(list), 0});
  out.append("<h1>Runs</h1>\n").append(form(list.asked));
  if (!list.problem.empty()) {
    out.append("<p role=\"alert\" class=\"failed\">").append(escaped(list.problem));
    out.append("</p>\n");
  } else if (list.runs.empty()) {
    out.append(element("p", "",
                       is_filtered(list.asked)
                           ? "No run is like that."
                           : "No run yet: `tofud run -- tofu apply` makes one."));
  } else {
    out.append(
        "<table>\n<thead><tr><th>Run</th><th>Status</th><th>Command</th><th>Stack</th>"
        "<th>Done</th><th>Began</th><th>Took</th></tr></thead>\n<tbody>\n");
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
