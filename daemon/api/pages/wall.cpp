#include "daemon/api/pages/wall.hpp"

#include "daemon/api/pages/html.hpp"
#include "daemon/api/pages/limits.hpp"
#include "daemon/api/pages/stack_words.hpp"
#include "daemon/api/pages/words.hpp"
#include "protocol/feed/age.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tofud::pages {
namespace {

using feed::run_status;
using feed::stack_row;

/// What a card says at first sight, the most urgent first.
enum class sight : std::uint8_t { failed, failing, running, waiting, drifted, quiet };

bool goes_on(const stack_row& card) { return card.status == run_status::running; }

sight sight_of(const wall_card& shown) {
  const stack_row& card = shown.stack;
  if (goes_on(card)) {
    constexpr auto failed = static_cast<std::size_t>(feed::resource_status::failed);
    return shown.run && shown.run->counts[failed] > 0 ? sight::failing : sight::running;
  }
  const run_status status = card.outcome ? card.outcome->status : card.status;
  if (status != run_status::succeeded) return sight::failed;
  if (card.change && card.change->state == feed::change_state::waiting) return sight::waiting;
  return card.drift ? sight::drifted : sight::quiet;
}

std::string_view class_of(sight seen) {
  constexpr std::array<std::string_view, 6> classes{"is-failed",  "is-failed",  "is-running",
                                                    "is-waiting", "is-waiting", "is-quiet"};
  return classes[static_cast<std::size_t>(seen)];
}

feed::run_goes_on live(const stack_row& card) {
  return goes_on(card) ? feed::run_goes_on::yes : feed::run_goes_on::no;
}

/// When something of it was last heard, by our clock; the epoch if never.
ui::time_point last_of(const stack_row& card) {
  const auto& last = card.ended_at ? card.ended_at : card.last_line_at;
  return last ? feed::by_our_clock(*last, card.clock_offset, live(card)) : ui::time_point{};
}

/// The run that is on, or the last one: "▶ apply 9/41, for 5 min".
std::string what(const wall_card& shown, ui::time_point now) {
  const stack_row& card = shown.stack;
  std::string out{"<p class=\"big\">"};
  std::string text{name(card.command)};
  if (card.phase == feed::run_phase::approval) {
    text += ", waits for approval";
  } else if (goes_on(card) && name(card.command) != name(card.phase)) {
    text += ", phase " + std::string{name(card.phase)};
  }
  out.append(link_to(card.run, text));
  if (shown.run && shown.run->progress.total > 0) {
    out.append(" ").append(feed::progress_text(*shown.run));
  }
  if (goes_on(card) && card.started_at) {
    out.append(", for ");
    out.append(age_text(feed::age(*card.started_at, card.clock_offset, live(card), now)));
  } else if (last_of(card) != ui::time_point{}) {
    const auto& last = card.ended_at ? card.ended_at : card.last_line_at;
    out.append(", ").append(age_text(feed::age(*last, card.clock_offset, live(card), now)));
    out.append(" ago");
  }
  return out.append("</p>\n");
}

std::string state(const wall_card& shown) {
  const stack_row& card = shown.stack;
  if (sight_of(shown) == sight::failing) return "<p class=\"state failed\">▶ failing</p>\n";
  const run_status status = !goes_on(card) && card.outcome ? card.outcome->status : card.status;
  std::string out{"<p class=\"state "};
  out.append(name(status)).append("\">").append(sign_of(status)).append(" ");
  return out.append(name(status)).append("</p>\n");
}

std::string outcome(const stack_row& card) {
  if (!card.outcome) return "";
  const feed::stack_outcome& last = *card.outcome;
  std::string out;
  if (last.run != card.run) {
    out.append("<p>last outcome: <span class=\"").append(name(last.status)).append("\">");
    out.append(sign_of(last.status)).append(" ").append(name(last.status)).append("</span> ");
    out.append(link_to(last.run, name(last.command))).append("</p>\n");
  }
  if (!last.superseded.empty()) {
    out.append("<p class=\"faint\">fixes ");
    out.append(link_to(last.superseded,
                       counted(last.superseded_runs, "earlier failure", "earlier failures")));
    out.append("</p>\n");
  }
  return out;
}

std::string contact(const stack_row& card, ui::time_point now) {
  if (!card.contact || *card.contact == feed::run_contact::ok) return "";
  // What is over needs nobody to tell of it; lost it is only for want of contact.
  if (!goes_on(card) && card.status != run_status::lost) return "";
  std::string text{"no contact"};
  if (card.last_line_at) {
    text += ", last line " +
            age_text(feed::age(*card.last_line_at, card.clock_offset, live(card), now)) + " ago";
  }
  return element("p", "attention", text) + "\n";
}

std::string card_text(const wall_card& shown, ui::time_point now) {
  const stack_row& card = shown.stack;
  std::string out{"<li class=\"card "};
  out.append(class_of(sight_of(shown))).append("\">\n<h2><bdi>").append(escaped(card.name));
  out.append("</bdi></h2>\n").append(state(shown)).append(what(shown, now));
  if (shown.run) {
    const std::string changes =
        changes_text(shown.run->applied ? shown.run->applied : shown.run->planned);
    if (!changes.empty()) out.append(element("p", "faint", changes)).append("\n");
    if (const auto& worst = shown.run->failures.worst) {
      out.append("<p>").append(std::to_string(worst->count)).append(" behind <bdi>");
      out.append(escaped(worst->addr)).append("</bdi></p>\n");
    }
  }
  out.append(contact(card, now))
      .append(lock_words(card))
      .append(change_words(card))
      .append(drift_words(card, now))
      .append(outcome(card));
  return out.append("</li>\n");
}

std::string counts_text(const std::vector<wall_card>& cards) {
  constexpr std::array<std::string_view, 6> words{"failed",  "failing", "running",
                                                  "waiting", "drifted", "quiet"};
  std::array<std::size_t, words.size()> counts{};
  for (const wall_card& each : cards) ++counts[static_cast<std::size_t>(sight_of(each))];
  std::string text;
  // What went wrong is said first; what is quiet need not be said.
  for (const sight each :
       {sight::failed, sight::failing, sight::running, sight::waiting, sight::drifted}) {
    const auto i = static_cast<std::size_t>(each);
    if (counts[i] == 0) continue;
    text += (text.empty() ? "" : " · ") + std::to_string(counts[i]) + " ";
    text += words[i];
  }
  return text.empty() ? counted(cards.size(), "stack", "stacks") + ", all quiet" : text;
}

}  // namespace

std::string wall_page(wall shown) {
  std::sort(shown.cards.begin(), shown.cards.end(), [](const wall_card& a, const wall_card& b) {
    const sight first = sight_of(a), second = sight_of(b);
    if (first != second) return first < second;
    const auto last_a = last_of(a.stack), last_b = last_of(b.stack);
    return last_a != last_b ? last_a > last_b : a.stack.stack < b.stack.stack;
  });
  const std::string counts = counts_text(shown.cards);
  std::string out =
      page_start({counts + " · tofud", limits::plain_refresh.count(), std::string{above}});
  out.append(element("h1", "", counts)).append("\n");
  if (shown.cards.empty()) {
    out.append(element("p", "", "No stacks yet. A stack appears here when its first run is sent."));
  } else {
    out.append("<ul class=\"cards\">\n");
    for (const wall_card& each : shown.cards) out.append(card_text(each, shown.now));
    out.append("</ul>\n");
  }
  out.append("<p><a href=\"../stacks\">All stacks</a></p>\n");
  out.append(element("p", "faint", "as of " + time_text(shown.now, time_detail::seconds)));
  return out.append("\n").append(page_end());
}

}  // namespace tofud::pages
