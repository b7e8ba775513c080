#include "daemon/api/history_reads.hpp"

#include "daemon/api/run_question.hpp"
#include "daemon/history/limits.hpp"
#include "protocol/history/answer.hpp"

#include <utility>

namespace tofud {
namespace {

std::string text_asked_for(const http::request& asked, std::string_view name) {
  return asked.parameter(name).value_or("");
}

/// Throws bad_question.
history::report_query history_asked_for(const http::request& asked) {
  history::report_query query;
  query.addr = text_asked_for(asked, "addr");
  query.stack = text_asked_for(asked, "stack");
  query.type = text_asked_for(asked, "type");
  const auto limit = number_asked_for(asked, "limit");
  if (!limit) return query;
  if (*limit == 0 || *limit > limits::history_entries_most) {
    throw bad_question{"limit= is a number from 1 to " +
                       std::to_string(limits::history_entries_most)};
  }
  query.limit = *limit;
  return query;
}

}  // namespace

void add_history_route(http::router& routes, history_finder find) {
  routes.answer_later("GET", "/v1/history",
                      [find = std::move(find)](const http::request& asked,
                                               const std::function<void(http::response)>& answer) {
                        history::report_query query;
                        try {
                          query = history_asked_for(asked);
                        } catch (const bad_question& bad) {
                          return answer(http::problem(400, bad.sentence));
                        }
                        find(std::move(query), access::asking(asked),
                             [answer](const text::result<history::report>& found) {
                               if (!found) return answer(http::problem(503, found.error().text()));
                               http::response report;
                               report.body = history::to_json(*found);
                               answer(std::move(report));
                             });
                      });
}

}  // namespace tofud
