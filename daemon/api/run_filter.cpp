#include "daemon/api/run_filter.hpp"

#include "daemon/api/errors.hpp"
#include "daemon/api/typed_time.hpp"
#include "daemon/spool/run_id.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <tuple>

namespace tofud {
namespace {

using outcome = text::result<feed::run_query>;

}  // namespace

outcome parse_filter(const filter_words& given, ui::time_point now) {
  feed::run_query filter;
  for (const std::string& list : given.statuses) {
    std::string_view rest{list};
    do {
      const std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      const auto status = feed::parse_run_status(word);
      if (!status) return text::failure{api::error::no_status, word};
      filter.statuses.emplace_back(word);
    } while (!rest.empty());
  }
  for (const std::string& text : given.labels) {
    auto label = feed::parse_label(text);
    if (!label) return text::failure{api::error::no_label, text};
    filter.labels.push_back(std::move(*label));
  }
  filter.text = given.text;
  filter.stack = given.stack;
  filter.since = given.since;
  filter.until = given.until;
  for (auto [name, text, edge] : {std::tuple{"--since", &filter.since, day_edge::begin},
                                  std::tuple{"--until", &filter.until, day_edge::end}}) {
    if (text->empty() || spool::is_run_id(*text) || to_timestamp(*text, edge, now)) continue;
    return text::failure{api::error::no_time, name, *text, typed_times};
  }
  return filter;
}

}  // namespace tofud
