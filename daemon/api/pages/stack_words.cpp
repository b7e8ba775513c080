#include "daemon/api/pages/stack_words.hpp"

#include "daemon/api/pages/html.hpp"
#include "daemon/api/pages/words.hpp"
#include "protocol/feed/age.hpp"

namespace tofud::pages {

using feed::change_state;
using feed::lock_state;
using feed::stack_row;

std::string link_to(std::string_view run, std::string_view text) {
  return "<a href=\"" + href_of_run(run, above) + "\">" + escaped(text) + "</a>";
}

std::string change_words(const stack_row& card) {
  if (!card.change) return "";
  const feed::stack_change& now = *card.change;
  const auto sentence = [](std::string_view class_name, const std::string& text) {
    return "<p class=\"" + std::string{class_name} + "\">" + text + "</p>\n";
  };
  const std::string plan = now.plan_run.empty() ? "" : link_to(now.plan_run, "plan");
  switch (now.state) {
    case change_state::waiting:
      return sentence("attention", "● " + plan + " waits for its apply");
    case change_state::planned:
      return sentence("faint", plan + " was not saved");
    case change_state::outdated:
      return sentence("attention", (plan.empty() ? "its plan" : plan) + " is outdated");
    case change_state::applying:
      return plan.empty() ? "" : sentence("", "applies this " + plan);
    case change_state::applied:
      return plan.empty() ? "" : sentence("faint", plan + " was applied");
    case change_state::failed:
      return plan.empty() ? "" : sentence("", "the apply of this " + plan + " failed");
  }
  return "";
}

std::string lock_words(const stack_row& card) {
  if (!card.lock || card.lock->state == lock_state::released) return "";
  std::string out{"<p class=\"attention\">state locked by "};
  if (card.lock->state == lock_state::somebody_else) {
    const bool named = !card.lock->who.empty();
    out.append("somebody else").append(named ? ": <bdi>" + escaped(card.lock->who) + "</bdi>" : "");
  } else {
    out.append(link_to(card.lock->holder, card.lock->holder));
    if (card.lock->state == lock_state::abandoned) out.append(", which left the lock behind");
  }
  return out.append("</p>\n");
}

std::string drift_words(const stack_row& card, ui::time_point now) {
  if (!card.drift) return "";
  const std::string what =
      card.drift->resources > 0
          ? counted(card.drift->resources, "resource", "resources") + " changed outside of OpenTofu"
          : "its plan has changes that nobody made here";
  const auto age = feed::age(card.drift->since, {}, feed::run_goes_on::no, now);
  return "<p class=\"attention\">drifted " + age_text(age) + ": " + link_to(card.drift->run, what) +
         "</p>\n";
}

}  // namespace tofud::pages
