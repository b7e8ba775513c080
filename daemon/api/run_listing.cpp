#include "daemon/api/run_listing.hpp"

#include "daemon/api/run_filter.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/json/quote.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace tofud {
namespace {

ui::time_point began(const feed::run_view& run) {
  return run.started_at.value_or(run.last_line_at.value_or(ui::time_point{}));
}

using runs = std::vector<feed::run_view>;

std::optional<runs::iterator> place_of(runs& known, const std::string& id) {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const feed::run_view& run) { return run.id == id; });
  if (found == known.end()) return std::nullopt;
  return found;
}

run_listing no_list(std::string sentence) { return {{}, "", {}, std::move(sentence)}; }

feed::status_counts count(const runs& known, const feed::run_query& asked) {
  feed::run_query wanted = asked;
  wanted.statuses.clear();
  feed::status_counts counts;
  for (const feed::run_view& run : known) {
    if (matches(wanted, run, began(run))) ++counts[std::string{feed::name(run.status)}];
  }
  return counts;
}

}  // namespace

run_listing list_runs(std::vector<feed::run_view> known, const feed::run_query& asked) {
  std::reverse(known.begin(), known.end());
  std::stable_sort(known.begin(), known.end(),
                   [](const auto& a, const auto& b) { return began(a) > began(b); });
  const auto is_run = [](const std::string& text) {
    return !text.empty() && !ui::parse_timestamp(text);
  };
  if (is_run(asked.since)) {
    const auto place = place_of(known, asked.since);
    if (!place) return no_list("since is neither a time such as 2026-11-21T03:12:00Z nor a run");
    known.erase(*place, known.end());
  }
  if (is_run(asked.until)) {
    const auto place = place_of(known, asked.until);
    if (!place) return no_list("until is neither a time such as 2026-11-21T03:12:00Z nor a run");
    known.erase(known.begin(), std::next(*place));
  }
  feed::run_query wanted = asked;
  for (std::string* edge : {&wanted.since, &wanted.until}) {
    if (is_run(*edge)) edge->clear();  // done, by their places
  }
  run_listing found;
  if (asked.counted) found.counts = count(known, wanted);
  if (!asked.cursor.empty()) {
    const auto place = place_of(known, asked.cursor);
    if (!place) return no_list("cursor does not belong to this list");
    known.erase(known.begin(), std::next(*place));
  }
  std::erase_if(known, [&](const auto& run) { return !matches(wanted, run, began(run)); });
  const std::size_t most =
      asked.limit == 0 ? limits::listed_views : std::min(asked.limit, limits::listed_views);
  if (known.size() > most) {
    known.resize(most);
    found.next = known.back().id;
  }
  found.runs = std::move(known);
  return found;
}

void listed_runs_text::add(const feed::run_view& run) {
  if (text_.back() == '}') text_.push_back(',');
  feed::encode(text_, run, 0);
}

std::string listed_runs_text::end(std::string_view next, const feed::status_counts& counts) && {
  text_.append("],\"next\":");
  if (next.empty()) {
    text_.append("null");
  } else {
    json::append_quoted(text_, next);
  }
  if (!counts.empty()) text_.append(",\"counts\":{");
  for (const auto& [status, count] : counts) {
    if (text_.back() != '{') text_.push_back(',');
    json::append_quoted(text_, status);
    text_.append(":").append(std::to_string(count));
  }
  text_.append(counts.empty() ? "}\n" : "}}\n");
  return std::move(text_);
}

}  // namespace tofud
