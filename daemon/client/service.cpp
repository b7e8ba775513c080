#include "daemon/client/service.hpp"

#include "daemon/client/exchange.hpp"
#include "protocol/feed/run_view.hpp"
#include "protocol/text/percent.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <utility>

namespace tofud::client {
namespace {

std::string target_of(const std::string& run, std::string_view rest) {
  std::string target{"/v1/runs/"};
  text::append_percent_encoded(target, run);
  return target.append(rest);
}

void add_parameter(std::string& target, std::string_view name, const std::string& value) {
  if (value.empty()) return;
  target.append(target.find('?') == std::string::npos ? "?" : "&").append(name).append("=");
  text::append_percent_encoded(target, value);
}

std::string target_of(const feed::run_query& query) {
  std::string target{"/v1/runs"};
  const auto add = [&target](std::string_view name, const std::string& value) {
    add_parameter(target, name, value);
  };
  std::string statuses;
  for (const std::string& each : query.statuses) statuses += (statuses.empty() ? "" : ",") + each;
  add("status", statuses);
  for (const feed::label& label : query.labels) add("label", label.key + "=" + label.value);
  add("stack", query.stack);
  add("q", query.text);
  add("since", query.since);
  add("until", query.until);
  add("cursor", query.cursor);
  if (query.limit > 0) add("limit", std::to_string(query.limit));
  return target;
}

failure no_list(const place& from) {
  return {trouble::other_server, "what answers at " + from.shown +
                                     " is not a tofud daemon: its list of runs is not valid"};
}

/// The member `url` of an answer.
std::optional<std::string> url_in(const response& given) {
  boost::json::error_code failed;
  const auto body = boost::json::parse(given.body, failed);
  const auto* object = failed ? nullptr : body.if_object();
  const auto* url = object == nullptr ? nullptr : object->if_contains("url");
  if (url == nullptr || !url->is_string()) return std::nullopt;
  return std::string{url->get_string()};
}

boost::system::result<void, failure> done(const place& at, std::string_view method,
                                          const std::string& target) {
  const auto given = ask(at, method, target);
  if (!given) return given.error();
  if (given->status / 100 != 2) return meaning_of(*given, at);
  return {};
}

boost::system::result<std::string, failure> body_of(const place& at, const std::string& target) {
  using outcome = boost::system::result<std::string, failure>;
  auto given = ask(at, "GET", target);
  if (!given) return outcome{boost::system::in_place_error, given.error()};
  if (given->status == 200) return outcome{boost::system::in_place_value, std::move(given->body)};
  return outcome{boost::system::in_place_error, meaning_of(*given, at)};
}

}  // namespace

boost::system::result<run_list, failure> service::list(const feed::run_query& query) const {
  const auto given = ask(at_, "GET", target_of(query));
  if (!given) return given.error();
  if (given->status != 200) return meaning_of(*given, at_);
  boost::json::error_code failed;
  const auto body = boost::json::parse(given->body, failed);
  const auto* object = failed ? nullptr : body.if_object();
  const auto* runs = object == nullptr ? nullptr : object->if_contains("runs");
  if (runs == nullptr || !runs->is_array()) return no_list(at_);
  run_list list;
  for (const auto& row : runs->get_array()) {
    auto run = feed::parse_run_view(boost::json::serialize(row));
    if (!run) return no_list(at_);
    list.runs.push_back(std::move(*run));
  }
  const auto* next = object->if_contains("next");
  if (next != nullptr && next->is_string()) list.next = std::string{next->get_string()};
  return list;
}

boost::system::result<std::string, failure> service::events(const std::string& run) const {
  using outcome = boost::system::result<std::string, failure>;
  const auto given = ask(at_, "GET", target_of(run, "/events.jsonl"));
  if (!given) return outcome{boost::system::in_place_error, given.error()};
  if (given->status == 200) return outcome{boost::system::in_place_value, given->body};
  return outcome{boost::system::in_place_error, meaning_of(*given, at_)};
}

boost::system::result<std::string, failure> service::history(const std::string& addr,
                                                             const std::string& stack,
                                                             const std::string& type,
                                                             std::size_t limit) const {
  std::string target{"/v1/history"};
  add_parameter(target, "addr", addr);
  add_parameter(target, "stack", stack);
  add_parameter(target, "type", type);
  if (limit > 0) add_parameter(target, "limit", std::to_string(limit));
  return body_of(at_, target);
}

boost::system::result<std::optional<std::string>, failure> service::plan_comment(
    const std::string& run, std::size_t room) const {
  constexpr int not_found = 404;
  auto given = ask(at_, "GET", target_of(run, "/plan?format=md&room=" + std::to_string(room)));
  if (!given) return given.error();
  if (given->status == not_found) return std::optional<std::string>{};
  if (given->status != 200) return meaning_of(*given, at_);
  return std::optional<std::string>{std::move(given->body)};
}

boost::system::result<std::string, failure> service::diff(const std::string& run,
                                                          const std::string& addr) const {
  std::string target = target_of(run, "/diff");
  add_parameter(target, "addr", addr);
  return body_of(at_, target);
}

boost::system::result<std::string, failure> service::order(const std::string& run) const {
  return body_of(at_, target_of(run, "/order"));
}

boost::system::result<std::string, failure> service::readiness() const {
  using outcome = boost::system::result<std::string, failure>;
  constexpr unsigned unavailable = 503;
  const auto given = ask(at_, "GET", "/readyz");
  if (!given) return outcome{boost::system::in_place_error, given.error()};
  if (given->status == 200) return outcome{boost::system::in_place_value, ""};
  if (given->status != unavailable)
    return outcome{boost::system::in_place_error, meaning_of(*given, at_)};
  return outcome{boost::system::in_place_value, "it starts or stops (/readyz?verbose says more)"};
}

boost::system::result<std::string, failure> service::token_end() const {
  using outcome = boost::system::result<std::string, failure>;
  const auto given = ask(at_, "GET", "/v1/session");
  if (!given) return outcome{boost::system::in_place_error, given.error()};
  if (given->status != 200) return outcome{boost::system::in_place_error, meaning_of(*given, at_)};
  return outcome{boost::system::in_place_value, std::string{given->first("token-expires")}};
}

boost::system::result<void, failure> service::remove(const std::string& run,
                                                     archived_copy copy) const {
  return done(at_, "DELETE", target_of(run, copy == archived_copy::stays ? "?archive=keep" : ""));
}

boost::system::result<void, failure> service::reindex(const std::string& run) const {
  std::string target = "/v1/reindex";
  if (!run.empty()) text::append_percent_encoded(target.append("?run="), run);
  return done(at_, "POST", target);
}

boost::system::result<std::optional<std::string>, failure> service::login_link() const {
  const auto given = ask(at_, "POST", "/v1/session/links?scope=read,raw");
  if (!given) return given.error();
  if (given->status != 201) return meaning_of(*given, at_);
  return url_in(*given);
}

boost::system::result<std::optional<std::string>, failure> service::page() const {
  if (at_.socket.empty()) return std::optional<std::string>{at_.shown + "/"};
  const auto given = ask(at_, "GET", "/healthz");
  if (!given) return given.error();
  return url_in(*given);
}

}  // namespace tofud::client
