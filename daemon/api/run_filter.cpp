#include "daemon/api/run_filter.hpp"

#include "daemon/api/typed_time.hpp"
#include "daemon/spool/run_id.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <tuple>

namespace tofud {
namespace {

using outcome = boost::system::result<run_filter, std::string>;

outcome refusal(std::string sentence) {
  return {boost::system::in_place_error, std::move(sentence)};
}

bool holds_without_case(std::string_view text, std::string_view wanted) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), [&](char a, char b) {
           return lower(static_cast<unsigned char>(a)) == lower(static_cast<unsigned char>(b));
         }) != text.end();
}

bool has_text(const feed::run_view& run, std::string_view wanted) {
  return holds_without_case(run.id, wanted) || holds_without_case(run.stack, wanted) ||
         std::any_of(run.labels.begin(), run.labels.end(), [&](const feed::label& label) {
           return holds_without_case(label.key, wanted) || holds_without_case(label.value, wanted);
         });
}

bool has_label(const feed::run_view& run, const feed::label& wanted) {
  return std::any_of(run.labels.begin(), run.labels.end(), [&](const feed::label& label) {
    return label.key == wanted.key && label.value == wanted.value;
  });
}

}  // namespace

bool run_filter::is_empty() const {
  return statuses.empty() && labels.empty() && text.empty() && stack.empty() && since.empty() &&
         until.empty();
}

outcome parse_filter(const filter_words& given, ui::time_point now) {
  run_filter filter;
  for (const std::string& list : given.statuses) {
    std::string_view rest{list};
    do {
      const std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      const auto status = feed::parse_run_status(word);
      if (!status) {
        return refusal("--status '" + std::string{word} +
                       "' is none; they are running, succeeded, failed, interrupted and lost");
      }
      filter.statuses.push_back(*status);
    } while (!rest.empty());
  }
  for (const std::string& text : given.labels) {
    auto label = feed::parse_label(text);
    if (!label) return refusal("--label '" + text + "' is no KEY=VALUE");
    filter.labels.push_back(std::move(*label));
  }
  filter.text = given.text;
  filter.stack = given.stack;
  filter.since = given.since;
  filter.until = given.until;
  for (auto [name, text, edge] : {std::tuple{"--since", &filter.since, day_edge::begin},
                                  std::tuple{"--until", &filter.until, day_edge::end}}) {
    if (text->empty() || spool::is_run_id(*text) || to_timestamp(*text, edge, now)) continue;
    return refusal(std::string{name} + " '" + *text + "' is neither " + std::string{typed_times} +
                   ", nor the id of a run");
  }
  return filter;
}

bool matches(const run_filter& wanted, const feed::run_view& run,
             std::chrono::system_clock::time_point began) {
  const auto& statuses = wanted.statuses;
  if (!statuses.empty() &&
      std::find(statuses.begin(), statuses.end(), run.status) == statuses.end()) {
    return false;
  }
  if (!std::all_of(wanted.labels.begin(), wanted.labels.end(),
                   [&](const feed::label& label) { return has_label(run, label); })) {
    return false;
  }
  if (!wanted.text.empty() && !has_text(run, wanted.text)) return false;
  if (!wanted.stack.empty() && run.stack != wanted.stack) return false;
  // An id begins with the minute in which its run began.
  if (const auto time = ui::parse_timestamp(wanted.since)) {
    if (began < *time) return false;
  } else if (!wanted.since.empty() && run.id <= wanted.since) {
    return false;
  }
  if (const auto time = ui::parse_timestamp(wanted.until)) return began < *time;
  return wanted.until.empty() || run.id < wanted.until;
}

}  // namespace tofud
