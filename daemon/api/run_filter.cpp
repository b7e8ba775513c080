#include "daemon/api/run_filter.hpp"

#include "daemon/api/typed_time.hpp"
#include "daemon/spool/run_id.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <tuple>

namespace tofud {
namespace {

using outcome = boost::system::result<feed::run_query, std::string>;

outcome refusal(std::string sentence) {
  return {boost::system::in_place_error, std::move(sentence)};
}

}  // namespace

outcome parse_filter(const filter_words& given, ui::time_point now) {
  feed::run_query filter;
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
      filter.statuses.emplace_back(word);
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

}  // namespace tofud
