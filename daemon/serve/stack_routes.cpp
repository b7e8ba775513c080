#include "daemon/serve/stack_routes.hpp"

#include "daemon/api/limits.hpp"
#include "daemon/api/run_question.hpp"
#include "daemon/api/stack_listing.hpp"
#include "daemon/http/coroutine.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/summed_stacks.hpp"
#include "protocol/text/percent.hpp"

#include <functional>
#include <string>
#include <utility>

namespace tofud::serve {
namespace {

namespace asio = boost::asio;

struct stack_question {
  std::size_t limit = limits::listed_stacks;
  std::string after;  // the name that the page before ended with; empty: from the first on
  bool as_csv = false;
};

/// Throws bad_question.
stack_question stacks_asked_for(const http::request& asked) {
  stack_question made;
  made.after = asked.parameter("cursor").value_or("");
  const std::string format = asked.parameter("format").value_or("json");
  if (format != "json" && format != "csv") throw bad_question{"format= must be json or csv"};
  made.as_csv = format == "csv";
  // Nobody turns the pages of a table.
  if (made.as_csv) made.limit = limits::listed_stacks_most;
  const auto limit = number_asked_for(asked, "limit");
  if (limit && (*limit == 0 || *limit > limits::listed_stacks_most))
    throw bad_question{"limit= is a number from 1 to " +
                       std::to_string(limits::listed_stacks_most)};
  made.limit = limit.value_or(made.limit);
  return made;
}

net::task<http::response> list(asio::io_context& io, kept_streams& runs, http::request asked) {
  stack_question question;
  std::string wrong;
  try {
    question = stacks_asked_for(asked);
  } catch (const bad_question& bad) {
    wrong = bad.sentence;
  }
  if (!wrong.empty()) co_return http::problem(400, wrong);
  const access::principal& by = access::asking(asked);
  stacks_text listed{question.as_csv ? stacks_text::form::csv : stacks_text::form::json};
  std::function<void(wall::stack_summary)> take = [&listed](const wall::stack_summary& each) {
    listed.add(each);
  };
  auto summing = each_stack(io, runs, by, {question.after, question.limit, operations::utc_now()},
                            std::move(take));
  const std::string next = co_await std::move(summing);
  http::response made;
  made.body = std::move(listed).end(next);
  if (question.as_csv) {
    made.content_type = "text/csv; charset=utf-8";
    made.headers.push_back({"Content-Disposition", "attachment; filename=\"tofud-stacks.csv\""});
  }
  if (!next.empty()) {
    // RFC 8288; a table has no other place for it.
    std::string link = question.as_csv ? "<?format=csv&cursor=" : "<?cursor=";
    text::append_percent_encoded(link, next);
    made.headers.push_back({"Link", link + ">; rel=\"next\""});
  }
  co_return made;
}

http::response one(const kept_streams& runs, const http::request& asked) {
  const std::string& name = asked.captures.front();
  const auto found = runs.walls().cards(access::asking(asked)).summary(name, operations::utc_now());
  if (!found) return http::problem(404, "no stack " + name + "; /v1/stacks lists them");
  http::response made;
  made.body = to_json(*found);
  return made;
}

}  // namespace

void add_stack_routes(http::router& routes, asio::io_context& io, kept_streams& runs) {
  routes.answer_later("GET", "/v1/stacks", http::answered_by(io, [&io, &runs](http::request asked) {
                        return list(io, runs, std::move(asked));
                      }));
  routes.get("/v1/stacks/*", [&runs](const http::request& asked) { return one(runs, asked); });
}

}  // namespace tofud::serve
