#include "daemon/api/pages/run_list.hpp"

#include "daemon/api/pages/html.hpp"
#include "daemon/api/pages/run_rows.hpp"
#include "daemon/api/pages/search_words.hpp"
#include "daemon/api/pages/words.hpp"
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
      "<details class=\"faint\"><summary>What can be searched for</summary>\n"
      "<p>Words of stacks, runs and labels; <code>stack:NAME</code>, <code>status:failed</code>, "
      "<code>actor:ada</code>, <code>commit:</code>, <code>branch:</code>, "
      "<code>label:KEY=VALUE</code>, <code>since:24h</code>, <code>until:2026-11-21</code> (UTC). "
      "A value with blanks stands in double quotes.</p></details>\n</form>\n");
  return out;
}

/// The same search in one state.
std::string tabs(const run_search& asked, const feed::status_counts& counts) {
  std::string out{"<nav class=\"tabs\" aria-label=\"state\">"};
  const auto tab = [&](std::string_view status, std::string_view shown) {
    run_search of_it = asked;
    of_it.status = status;
    out.append("<a href=\"").append(address(of_it, "")).push_back('"');
    if (asked.status == status) out.append(" aria-current=\"page\"");
    out.append(">").append(shown);
    std::uint64_t count = 0;
    for (const auto& [of, each] : counts) count += status.empty() || of == status ? each : 0;
    if (count > 0) out.append(" <b>").append(std::to_string(count)).append("</b>");
    out.append("</a>\n");
  };
  tab("", "All");
  for (std::size_t i = 0; i < feed::run_statuses; ++i) {
    const auto word = name(static_cast<run_status>(i));
    tab(word, word);
  }
  return out.append("</nav>\n");
}

}  // namespace

std::string run_list_page(const run_list& list) {
  std::string out = page_start({title(list)});
  out.append("<div class=\"line\"><h1>Runs</h1>\n")
      .append(form(list.asked, list.stacks))
      .append("</div>\n")
      .append(tabs(list.asked, list.counts));
  if (!list.problem.empty()) {
    out.append("<p role=\"alert\" class=\"failed\">").append(escaped(list.problem));
    out.append("</p>\n");
  } else if (list.runs.empty()) {
    out.append(element("p", "",
                       is_filtered(list.asked)
                           ? "No run matches."
                           : "No runs yet. A run appears here when it is sent."));
  } else {
    out.append(runs_table(list.runs, list.now, rows_of::all_stacks));
  }
  if (!list.from_the_newest) {
    out.append("<p><a href=\"").append(address(list.asked, "")).append("\">Newest runs</a></p>\n");
  }
  if (!list.next.empty()) {
    out.append("<p><a rel=\"next\" href=\"").append(address(list.asked, list.next));
    out.append("\">Older runs</a></p>\n");
  }
  if (list.from_the_newest && list.problem.empty()) {
    out.append(
        "<p id=\"later\" role=\"status\" hidden><span></span> <button "
        "type=\"button\"></button></p>\n"
        "<script src=\"runs.js\" defer></script>\n");
  }
  return out.append(page_end());
}

// The page itself says how a row is drawn: the script asks for it again and takes its rows.
std::string_view run_list_script() {
  return R"js('use strict';
(() => {
  const every_ms = 10000;
  const parts = ['.tabs', '.runs tbody'];
  const later = document.getElementById('later');
  const [said, button] = later.children;
  const states_of = (page) => new Map([...page.querySelectorAll('.runs tbody tr')].map((row) => [row.dataset.run, row.querySelector('.state').textContent]));
  let fresh = null;
  let read_at = new Date();

  const say = (words, count) => {
    said.textContent = words;
    button.textContent = `${count} new or changed`;
    button.hidden = count === 0;
    later.hidden = !words && count === 0;
  };

  const take = () => {
    document.title = fresh.title;
    for (const part of parts) {
      const old = document.querySelector(part);
      const next = fresh.querySelector(part);
      if (!old !== !next) return location.reload(); // the first run, or none any more
      if (old) old.replaceWith(document.adoptNode(next));
    }
    fresh = null;
    say('', 0);
  };

  // Rows stay where they are below a pointer, and for who reads further down.
  const is_read = () => scrollY > 100 || document.querySelector('.runs tbody:hover, .runs tbody:focus-within');

  const came = (page) => {
    fresh = page;
    read_at = new Date();
    if (!is_read()) return take();
    const before = states_of(document);
    say('', [...states_of(page)].filter(([run, state]) => before.get(run) !== state).length);
  };

  const look = () => {
    if (document.hidden) return void setTimeout(look, every_ms);
    const asked = new XMLHttpRequest();
    asked.open('GET', location.href);
    asked.responseType = 'document';
    asked.onloadend = () => {
      if (asked.status === 200 && asked.response && asked.response.getElementById('later')) came(asked.response);
      else say(`tofud does not answer; this list is of ${read_at.toLocaleTimeString()}.`, 0);
      setTimeout(look, every_ms);
    };
    asked.send();
  };

  button.onclick = () => {
    take();
    scrollTo(0, 0);
  };
  setTimeout(look, every_ms);
})();
)js";
}

std::string_view run_list_policy() {
  return "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
         "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
         "require-trusted-types-for 'script'; trusted-types 'none'";
}

}  // namespace tofud::pages
