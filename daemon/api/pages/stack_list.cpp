#include "daemon/api/pages/stack_list.hpp"

#include "daemon/api/pages/html.hpp"
#include "daemon/api/pages/run_rows.hpp"
#include "daemon/api/pages/stack.hpp"
#include "daemon/api/pages/words.hpp"
#include "protocol/text/duration.hpp"

#include <algorithm>
#include <chrono>

namespace tofud::pages {
namespace {

using wall::stack_summary;

std::string ago(ui::time_point at, ui::time_point now) {
  return age_text(std::max(now - at, std::chrono::microseconds{0}));
}

/// "succeeded 2 d ago by ada 1a2b3c4".
std::string applied(const stack_summary& of, ui::time_point now) {
  if (!of.last_apply) return "<span class=\"faint\">none</span>";
  const stack_summary::apply& last = *of.last_apply;
  std::string out =
      "<a href=\"" + href_of_run(last.run) + "\">" + state_words(last.status) + "</a>";
  if (last.ended_at) out.append(" ").append(ago(*last.ended_at, now)).append(" ago");
  if (!last.who.empty())
    out.append(last.who_is_verified ? " by <bdi>" : " by <bdi class=\"faint\">")
        .append(escaped(last.who))
        .append("</bdi>");
  if (!last.commit.empty())
    out.append(" <code>").append(escaped(last.commit.substr(0, 7))).append("</code>");
  return out;
}

std::string open_change(const stack_summary& of) {
  const auto& change = of.card.change;
  if (!change || change->state == feed::change_state::applied) return "";
  const std::string& run = change->plan_run.empty() ? change->apply_run : change->plan_run;
  return "<a href=\"" + href_of_run(run) + "\">" + std::string{feed::name(change->state)} + "</a>";
}

std::string drifted(const stack_summary& of, ui::time_point now) {
  if (!of.card.drift) return "";
  return "<a class=\"attention\" href=\"" + href_of_run(of.card.drift->run) + "\">drifted " +
         ago(of.card.drift->since, now) + "</a>";
}

std::string counts(const stack_summary& of) {
  if (of.applies.runs == 0) return "";
  std::string out = counted(of.applies.runs, "apply", "applies");
  if (of.applies.failed > 0) out += ", " + std::to_string(of.applies.failed) + " failed";
  if (of.applies.median_seconds)
    out += ", half within " + text::duration(std::chrono::microseconds{
                                  static_cast<std::int64_t>(*of.applies.median_seconds * 1e6)});
  return out;
}

std::string row(const stack_summary& of, ui::time_point now) {
  std::string out{"<tr><td class=\"stack\"><a href=\""};
  out.append(href_of_stack(of.card.stack, "./")).append("\"><bdi>");
  out.append(stack_words(of.card.stack)).append("</bdi></a></td>\n<td>");
  out.append(applied(of, now)).append("</td>\n<td>").append(open_change(of));
  out.append("</td>\n<td class=\"whole\">").append(drifted(of, now)).append("</td>\n<td>");
  return out.append(counts(of)).append("</td></tr>\n");
}

}  // namespace

std::string stack_list_page(const stack_list& list) {
  std::string out = page_start({"Stacks · tofud"});
  out.append("<h1>Stacks</h1>\n");
  if (list.stacks.empty()) {
    out.append("<p>No stacks yet. A stack appears here when its first run is sent.</p>\n");
    return out.append(page_end());
  }
  out.append(
      "<table class=\"stacks\">\n<thead><tr><th>Stack</th><th>Last apply</th><th>Open change</th>"
      "<th>Drift</th><th>In 30 days</th></tr></thead>\n<tbody>\n");
  for (const stack_summary& each : list.stacks) out.append(row(each, list.now));
  out.append("</tbody>\n</table>\n");
  if (list.has_more) out.append("<p class=\"faint\">There are more.</p>\n");
  out.append("<p class=\"faint\">As data: <a href=\"./v1/stacks\">JSON</a>, ")
      .append("<a href=\"./v1/stacks?format=csv\">CSV</a></p>\n");
  return out.append(page_end());
}

}  // namespace tofud::pages
