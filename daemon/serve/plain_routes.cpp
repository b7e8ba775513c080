#include "daemon/serve/plain_routes.hpp"

#include "daemon/api/limits.hpp"
#include "daemon/api/pages/run_list.hpp"
#include "daemon/api/pages/stack_list.hpp"
#include "daemon/api/pages/wall.hpp"
#include "daemon/api/plain_pages.hpp"
#include "daemon/api/run_question.hpp"
#include "daemon/http/coroutine.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/summed_stacks.hpp"

#include <functional>
#include <string>
#include <utility>

namespace tofud::serve {
namespace {

/// Nothing: what is asked for makes no sense, which is in `list` then.
std::optional<feed::run_query> query_of(pages::run_list& list, const http::request& asked) {
  try {
    feed::run_query query = runs_asked_for(list.asked, list.now);
    query.cursor = asked.parameter("cursor").value_or("");
    list.from_the_newest = query.cursor.empty();
    return query;
  } catch (const bad_question& bad) {
    list.problem = bad.sentence;
    return std::nullopt;
  }
}

net::task<http::response> runs_page(kept_streams& runs, http::request asked) {
  pages::run_list list;
  list.asked = search_of(asked);
  list.now = operations::utc_now();
  list.stacks = runs.walls().cards(access::asking(asked)).stacks();
  if (auto query = query_of(list, asked)) {
    auto listing = runs.list(std::move(*query), access::asking(asked));
    const kept_streams::run_page page = co_await std::move(listing);
    list.problem = page.failure.text();
    for (const registry::shown_run* shown : page.runs) list.runs.push_back(shown->view());
    list.next = page.next;
    list.counts = page.counts;
  }
  co_return plain_page(run_list_page(list), pages::run_list_policy());
}

net::task<http::response> stack_page_of(kept_streams& runs, http::request asked) {
  pages::stack_view shown;
  shown.name = asked.captures.front();
  shown.now = operations::utc_now();
  auto listing = runs.list(runs_of_stack(shown.name), access::asking(asked));
  const kept_streams::run_page page = co_await std::move(listing);
  shown.problem = page.failure.text();
  shown.has_older = !page.next.empty();
  for (const registry::shown_run* run : page.runs) shown.runs.push_back(run->view());
  if (const feed::stack_row* card = runs.walls().cards(access::asking(asked)).card(shown.name))
    shown.card = *card;
  if (!shown.runs.empty()) {
    auto asking = runs.usual_of_stack(shown.name, access::asking(asked));
    shown.usual = co_await std::move(asking);
  }
  co_return stack_answer(shown);
}

net::task<http::response> stacks_page(boost::asio::io_context& io, kept_streams& runs,
                                      http::request asked) {
  pages::stack_list list;
  list.now = operations::utc_now();
  const access::principal& by = access::asking(asked);
  std::function<void(wall::stack_summary)> take = [&list](wall::stack_summary each) {
    list.stacks.push_back(std::move(each));
  };
  auto summing =
      each_stack(io, runs, by, {"", limits::listed_stacks_most, list.now}, std::move(take));
  const std::string next = co_await std::move(summing);
  list.has_more = !next.empty();
  co_return plain_page(stack_list_page(list));
}

http::response wall_of(const kept_streams& runs, const access::principal& by) {
  pages::wall shown;
  shown.now = operations::utc_now();
  const wall::stack_cards& cards = runs.walls().cards(by);
  for (const std::string& stack : cards.stacks()) {
    const feed::stack_row* card = cards.card(stack);
    if (card == nullptr) continue;
    pages::wall_card each{*card, std::nullopt};
    if (const registry::shown_run* run = runs.shown().find(card->run, by)) each.run = run->view();
    shown.cards.push_back(std::move(each));
  }
  return plain_page(wall_page(std::move(shown)));
}

}  // namespace

void add_plain_routes(http::router& routes, boost::asio::io_context& io, kept_streams& runs) {
  add_plain_files(routes);
  routes.answer_later("GET", "/stacks", http::answered_by(io, [&io, &runs](http::request asked) {
                        return stacks_page(io, runs, std::move(asked));
                      }));
  routes.answer_later("GET", "/stacks/*", http::answered_by(io, [&runs](http::request asked) {
                        return stack_page_of(runs, std::move(asked));
                      }));
  routes.answer_later("GET", "/runs", http::answered_by(io, [&runs](http::request asked) {
                        return runs_page(runs, std::move(asked));
                      }));
  routes.get("/wall/plain",
             [&runs](const http::request& asked) { return wall_of(runs, access::asking(asked)); });
}

}  // namespace tofud::serve
