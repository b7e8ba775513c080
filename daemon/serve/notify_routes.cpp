#include "daemon/serve/notify_routes.hpp"

#include "daemon/access/token.hpp"
#include "daemon/notify/errors.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <utility>

namespace tofud::serve {
namespace {

namespace bj = boost::json;

http::response as_json(const bj::value& body) {
  http::response made;
  made.body = bj::serialize(body) + "\n";
  made.headers.push_back({"Cache-Control", "no-store"});
  return made;
}

/// Without parts of a second.
std::string seconds_text(access::time at) { return access::to_text(at).substr(0, 19) + "Z"; }

bj::value body_of(const notify::sender::overview& all) {
  bj::array rules, messages;
  for (const notify::rule_state& each : all.rules) {
    bj::object one{{"name", each.name}, {"target", each.where}};
    if (!each.why_off.empty()) one["off"] = each.why_off;
    rules.push_back(std::move(one));
  }
  for (const notify::listed_message& each : all.messages) {
    bj::object one{{"id", each.id},
                   {"rule", each.rule},
                   {"headline", each.headline},
                   {"state", each.is_given_up ? "given up" : "waiting"},
                   {"tries", each.tries},
                   {"created_at", seconds_text(each.created_at)},
                   {"due_at", seconds_text(each.due_at)}};
    if (!each.last.empty()) one["last"] = each.last;
    messages.push_back(std::move(one));
  }
  return {{"rules", std::move(rules)},
          {"messages", std::move(messages)},
          {"waiting", all.counts.waiting},
          {"given_up", all.counts.given_up}};
}

}  // namespace

void add_notify_routes(http::router& routes, notify::sender& to) {
  routes.answer_later("GET", "/v1/notifications",
                      [&to](const http::request&, std::function<void(http::response)> answer) {
                        to.list([answer = std::move(answer)](const notify::sender::overview& all) {
                          answer(as_json(body_of(all)));
                        });
                      });
  routes.answer_later(
      "POST", "/v1/notifications/retry",
      [&to](const http::request& asked, std::function<void(http::response)> answer) {
        to.retry(asked.parameter("id").value_or(""),
                 [answer = std::move(answer)](const text::result<std::size_t>& count) {
                   if (!count) return answer(http::problem(404, count.error().text()));
                   answer(as_json({{"retried", *count}}));
                 });
      });
  routes.answer_later(
      "POST", "/v1/notifications/test",
      [&to](const http::request& asked, std::function<void(http::response)> answer) {
        to.try_rule(asked.parameter("rule").value_or(""),
                    [answer = std::move(answer)](const text::failure& failed) {
                      if (failed.is(notify::error::no_rule))
                        return answer(http::problem(404, failed.text()));
                      if (!failed.empty()) return answer(http::problem(502, failed.text()));
                      answer(as_json({{"delivered", true}}));
                    });
      });
}

}  // namespace tofud::serve
