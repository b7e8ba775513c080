#include "daemon/api/run_question.hpp"

#include "daemon/api/limits.hpp"
#include "daemon/api/typed_time.hpp"
#include "protocol/text/percent.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/upload/create_request.hpp"

#include <algorithm>
#include <utility>

namespace tofud {
namespace {

/// Every value of a parameter, percent-decoded.
std::vector<std::string> values(const http::request& asked, std::string_view name) {
  std::vector<std::string> found;
  std::string_view rest{asked.query};
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    if (text::percent_decoded(one.substr(0, equals)).value_or("") != name) continue;
    auto value = text::percent_decoded(one.substr(std::min(equals + 1, one.size())));
    if (!value) throw bad_question{std::string{name} + "= is not valid percent-encoding"};
    found.push_back(std::move(*value));
  }
  return found;
}

/// The first value of a parameter; empty: it is not there.
std::string value(const http::request& asked, std::string_view name) {
  auto all = values(asked, name);
  return all.empty() ? std::string{} : std::move(all.front());
}

/// What is no time is left to whoever knows the runs: it may be the id of one.
void read_times(feed::run_query& query, ui::time_point now) {
  to_timestamp(query.since, day_edge::begin, now);
  to_timestamp(query.until, day_edge::end, now);
}

}  // namespace

std::vector<feed::label> labels_asked_for(const http::request& asked) {
  std::vector<feed::label> labels;
  for (const std::string& text : values(asked, "label")) {
    auto label = feed::parse_label(text);
    if (!label) throw bad_question{"label=" + text + " is not KEY=VALUE"};
    labels.push_back(std::move(*label));
  }
  auto checked = upload::checked_labels(std::move(labels));
  if (!checked) throw bad_question{checked.error().text()};
  return *checked;
}

std::optional<std::uint64_t> number_asked_for(const http::request& asked, std::string_view name) {
  const auto text = asked.parameter(name);
  if (!text) return std::nullopt;
  const auto number = text::parse_whole_number<std::uint64_t>(*text);
  if (!number) throw bad_question{std::string{name} + "= is not a number"};
  return number;
}

feed::run_query runs_asked_for(const http::request& asked, ui::time_point now) {
  feed::run_query query;
  for (const std::string& list : values(asked, "status")) {
    std::string_view rest{list};
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      if (!feed::parse_run_status(one)) {
        throw bad_question{"status=" + std::string{one} +
                           "; use running, succeeded, failed, interrupted, lost or unknown"};
      }
      query.statuses.emplace_back(one);
    }
  }
  query.labels = labels_asked_for(asked);
  query.stack = value(asked, "stack");
  query.text = value(asked, "q");
  query.since = value(asked, "since");
  query.until = value(asked, "until");
  read_times(query, now);
  query.cursor = value(asked, "cursor");
  if (const auto limit = number_asked_for(asked, "limit")) query.limit = *limit;
  const std::string counts = value(asked, "counts");
  if (!counts.empty() && counts != "1" && counts != "0")
    throw bad_question{"counts= must be 1 (how many there are of each status, too) or 0"};
  query.counted = counts == "1";
  return query;
}

feed::run_query runs_asked_for(const pages::run_search& asked, ui::time_point now) {
  feed::run_query query;
  if (!asked.status.empty()) {
    if (!feed::parse_run_status(asked.status)) {
      throw bad_question{"there is no status " + asked.status};
    }
    query.statuses.push_back(asked.status);
  }
  if (!asked.label.empty()) {
    auto label = feed::parse_label(asked.label);
    if (!label) throw bad_question{"write a label as KEY=VALUE, such as branch=main"};
    query.labels.push_back(std::move(*label));
  }
  query.stack = asked.stack;
  query.text = asked.q;
  query.since = asked.since;
  query.until = asked.until;
  read_times(query, now);
  query.limit = limits::listed_runs;
  query.counted = true;
  return query;
}

}  // namespace tofud
