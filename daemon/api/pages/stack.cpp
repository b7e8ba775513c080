#include "daemon/api/pages/stack.hpp"

#include "daemon/api/pages/html.hpp"
#include "daemon/api/pages/limits.hpp"
#include "daemon/api/pages/run_rows.hpp"
#include "daemon/api/pages/stack_words.hpp"
#include "daemon/api/pages/words.hpp"
#include "protocol/feed/age.hpp"
#include "protocol/text/duration.hpp"
#include "protocol/text/percent.hpp"
#include "protocol/text/percentile.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <utility>

namespace tofud::pages {
namespace {

using feed::run_command;
using feed::run_status;
using feed::run_view;
using std::chrono::microseconds;

bool changes_something(const run_view& run) {
  return run.command == run_command::apply || run.command == run_command::destroy;
}

bool is_over(const run_view& run) { return run.status != run_status::running; }

std::string ago(const run_view& run, ui::time_point now) {
  const auto& at = run.ended_at ? run.ended_at : run.started_at;
  if (!at) return "";
  return age_text(feed::age(*at, run.clock_offset, feed::run_goes_on::no, now)) + " ago";
}

/// HTML: "apply 2 d ago by ada 1a2b3c4", with a link to the run.
std::string said_of(const run_view& run, ui::time_point now) {
  const std::string who = who_words(run);
  return link_to(run.id, name(run.command)) + " " + ago(run, now) +
         (who.empty() ? "" : " by " + who);
}

/// How its applies stand: since when they fail, or when the last good one was.
std::string applies(const stack_view& shown) {
  std::vector<const run_view*> all;
  for (const run_view& run : shown.runs) {
    if (changes_something(run) && is_over(run)) all.push_back(&run);
  }
  if (all.empty()) return "<p class=\"faint\">No apply of it is kept here.</p>\n";
  const auto good = std::find_if(all.begin(), all.end(), [](const run_view* run) {
    return run->status == run_status::succeeded;
  });
  std::string out;
  if (good != all.begin()) {
    const auto failed = static_cast<std::size_t>(good - all.begin());
    out.append("<p class=\"attention\">");
    if (failed == 1)
      out.append("Its last apply did not succeed: ");
    else
      out.append(std::to_string(failed)).append(" applies in a row did not succeed, the first: ");
    out.append(said_of(**std::prev(good), shown.now)).append("</p>\n");
  }
  if (good == all.end()) return out;
  out.append("<p>Last apply that succeeded: ").append(said_of(**good, shown.now));
  if (const auto taken = time_taken(**good)) out.append(", took ").append(text::duration(*taken));
  const std::string changes = changes_text((*good)->applied);
  if (!changes.empty()) out.append(", ").append(changes);
  return out.append("</p>\n");
}

/// A bar for each run, oldest first: its height is how long it took beside the longest.
std::string strip(const std::vector<run_view>& runs) {
  constexpr std::size_t wide = 12, gap = 3, high = 40, least = 3;
  microseconds longest{1};
  for (const run_view& run : runs)
    longest = std::max(longest, time_taken(run).value_or(microseconds{0}));
  std::array<std::size_t, feed::run_statuses> counts{};
  std::string bars;
  std::size_t x = 0;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run, x += wide + gap) {
    ++counts[static_cast<std::size_t>(run->status)];
    const auto taken = time_taken(*run).value_or(microseconds{0});
    const std::size_t height =
        least + static_cast<std::size_t>((high - least) * taken.count() / longest.count());
    bars.append("<rect class=\"").append(name(run->status)).append("\" x=\"");
    bars.append(std::to_string(x)).append("\" y=\"").append(std::to_string(high - height));
    bars.append("\" width=\"").append(std::to_string(wide)).append("\" height=\"");
    bars.append(std::to_string(height)).append("\"></rect>");
  }
  std::string said;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    said.append(said.empty() ? "" : ", ").append(std::to_string(counts[i])).append(" ");
    said.append(name(static_cast<run_status>(i)));
  }
  std::string out{"<svg class=\"strip\" role=\"img\" width=\""};
  out.append(std::to_string(std::max<std::size_t>(x, 1))).append("\" height=\"40\" aria-label=\"");
  out.append(counted(runs.size(), "run", "runs")).append(", oldest first: ").append(said);
  return out.append("\">").append(bars).append("</svg>\n");
}

microseconds seconds_of(double s) { return microseconds{static_cast<std::int64_t>(s * 1e6)}; }

/// "Applies take 42s in half of all cases, 1m10s in nine of ten".
std::string times(const std::vector<run_view>& runs) {
  std::vector<double> taken;  // seconds
  for (const run_view& run : runs) {
    const auto time = time_taken(run);
    if (changes_something(run) && run.status == run_status::succeeded && time)
      taken.push_back(std::chrono::duration<double>{*time}.count());
  }
  if (taken.size() < limits::told_of_a_stack) return "";
  const auto at = [&](double part) {
    return text::duration(seconds_of(text::percentile(taken, part)));
  };
  return "<p>Of its last " + std::to_string(taken.size()) +
         " applies that succeeded half took at most " + at(.5) + ", nine of ten " + at(.9) +
         ".</p>\n";
}

/// What takes longest, and what fails now and then.
std::string usual(std::vector<feed::address_usual> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.how.p50 > b.how.p50; });
  std::string slow, flaky;
  std::size_t slow_count = 0, flaky_count = 0;
  for (const feed::address_usual& each : all) {
    const std::string begin = "<tr><td><bdi><code>" + escaped(each.addr) +
                              "</code></bdi></td><td>" + escaped(each.action);
    const std::string end = "</td><td class=\"whole\">" + text::duration(seconds_of(each.how.p50)) +
                            "</td><td class=\"whole\">" + text::duration(seconds_of(each.how.p80)) +
                            "</td></tr>\n";
    if (each.how.p50 >= 1 && slow_count < limits::told_of_a_stack) {
      ++slow_count;
      slow.append(begin).append(end);
    }
    if (each.how.flaky && flaky_count < limits::told_of_a_stack) {
      ++flaky_count;
      flaky.append(begin).append(end);
    }
  }
  const auto table = [](std::string_view title, const std::string& rows) {
    if (rows.empty()) return std::string{};
    return "<h2>" + std::string{title} +
           "</h2>\n<table class=\"usual\">\n<thead><tr><th>Resource</th><th>Action</th>"
           "<th>Usually</th><th>Four of five within</th></tr></thead>\n<tbody>\n" +
           rows + "</tbody>\n</table>\n";
  };
  return table("Slow here", slow) + table("Fails here now and then", flaky);
}

}  // namespace

std::string href_of_stack(std::string_view name, std::string_view root) {
  std::string href{root};
  href.append("stacks/");
  text::append_percent_encoded(href, name);
  return escaped(href);
}

std::string stack_page(const stack_view& shown) {
  std::string out = page_start({shown.name + " · tofud", 0, std::string{above}});
  out.append("<h1><bdi>").append(stack_words(shown.name)).append("</bdi></h1>\n");
  if (!shown.problem.empty())
    return out.append(element("p", "failed", shown.problem)).append(page_end());
  if (shown.runs.empty()) {
    out.append("<p>No run of this stack is kept here. <a href=\"../runs\">All runs</a></p>\n");
    return out.append(page_end());
  }
  const run_view& newest = shown.runs.front();
  out.append("<p>")
      .append(state_words(newest.status))
      .append(" ")
      .append(said_of(newest, shown.now));
  if (!newest.tofu.empty()) out.append(", OpenTofu ").append(escaped(newest.tofu));
  if (!newest.terraform.empty()) out.append(", Terraform ").append(escaped(newest.terraform));
  out.append("</p>\n").append(applies(shown));
  if (shown.card)
    out.append(change_words(*shown.card))
        .append(lock_words(*shown.card))
        .append(drift_words(*shown.card, shown.now));
  out.append("<h2>Runs</h2>\n").append(strip(shown.runs)).append(times(shown.runs));
  out.append(runs_table(shown.runs, shown.now, rows_of::one_stack));
  if (shown.has_older) {
    std::string href{"../runs?stack="};
    text::append_percent_encoded(href, shown.name);
    out.append("<p><a href=\"").append(escaped(href)).append("\">All runs of this stack</a></p>\n");
  }
  out.append(usual(shown.usual));
  // Where cards are, there is a list of them.
  if (shown.card) out.append("<p><a href=\"../stacks\">All stacks</a></p>\n");
  return out.append(page_end());
}

}  // namespace tofud::pages
