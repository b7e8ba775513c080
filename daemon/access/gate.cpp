#include "daemon/access/gate.hpp"

#include "daemon/access/limits.hpp"
#include "daemon/access/need.hpp"
#include "daemon/http/message/cross_origin.hpp"
#include "protocol/text/ascii.hpp"
#include "protocol/text/percent.hpp"

#include <algorithm>
#include <utility>

namespace tofud::access {
namespace {

using http::problem;
using http::request;
using http::response;

/// Of a list that each proxy adds to, what the nearest one added.
std::string_view last_of(std::string_view list) {
  return text::trimmed(list.substr(list.rfind(',') + 1));
}

response unknown(std::string_view message, std::string_view error = "") {
  auto answer = problem(401, message);
  std::string scheme{"Bearer realm=\"tofud\""};
  if (!error.empty()) scheme.append(", error=\"").append(error).append("\"");
  answer.headers.push_back({"WWW-Authenticate", std::move(scheme)});
  return answer;
}

/// RFC 6750, 2.1. Nothing if that is not how it is done here.
std::optional<std::string_view> bearer_of(const request& asked) {
  constexpr std::string_view scheme = "bearer ";
  const std::string_view value = asked.first("authorization");
  if (value.size() < scheme.size()) return std::nullopt;
  if (!http::equal_without_case(value.substr(0, scheme.size()), scheme)) return std::nullopt;
  return text::trimmed(value.substr(scheme.size()));
}

/// A secret in a URL is in logs, histories and `Referer`.
bool has_token_in_url(const request& asked) {
  if (holds_token(asked.target)) return true;
  if (holds_token(text::percent_decoded(asked.target).value_or(""))) return true;
  for (std::string_view rest{asked.query}; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const std::string_view name = one.substr(0, one.find('='));
    if (name == "token" || name == "access_token" || name == "ticket") return true;
  }
  return false;
}

/// What a form or our own page sends; a body of another kind needs no preflight in a browser
/// either.
bool has_our_type(const request& asked) {
  const std::string_view whole = asked.first("content-type");
  const std::string_view type = text::trimmed(whole.substr(0, whole.find(';')));
  return http::equal_without_case(type, "application/json") ||
         http::equal_without_case(type, "application/x-www-form-urlencoded");
}

bool has_body(const request& asked) {
  return asked.count("transfer-encoding") > 0 ||
         (asked.count("content-length") > 0 && asked.first("content-length") != "0");
}

/// Of a page of another server that is on the list: the leave it asks for first, or a refusal.
std::optional<response> answer_other_page(const request& asked) {
  if (asked.other_page.empty()) return std::nullopt;
  const bool asks_first = http::is_preflight(asked);
  const std::string_view wanted =
      asks_first ? asked.first("access-control-request-method") : asked.method;
  if (!may_other_page(wanted, asked.path)) {
    return problem(403, "Origin: pages of other servers may only read, log in and log out");
  }
  if (asks_first) return http::allow_preflight(asked);
  return std::nullopt;
}

/// Beyond what refuse_foreign asks of every request.
std::optional<response> refuse_change(const request& asked) {
  if (asked.method == "GET" || asked.is_head() || !is_of_a_browser(asked)) return std::nullopt;
  if (asked.count("origin") == 0 && asked.count("sec-fetch-site") == 0) {
    return problem(
        403, "Origin is missing: browsers must send it with a request that changes something");
  }
  if (has_body(asked) && !has_our_type(asked)) {
    return problem(415, "Content-Type: browsers must send application/json or a form");
  }
  return std::nullopt;
}

/// `listed` as the proxy's header has them.
std::vector<std::string_view> groups_in(std::string_view listed) {
  std::vector<std::string_view> groups;
  while (!listed.empty()) {
    const std::string_view one = listed.substr(0, listed.find(','));
    listed.remove_prefix(std::min(one.size() + 1, listed.size()));
    groups.push_back(text::trimmed(one));
  }
  return groups;
}

/// Without groups in the rules every user may ask.
bool is_in_a_group(const rules& by, std::string_view listed) {
  const auto groups = groups_in(listed);
  return by.groups.empty() ||
         std::any_of(by.groups.begin(), by.groups.end(), [&](const auto& each) {
           return std::find(groups.begin(), groups.end(), each) != groups.end();
         });
}

/// What members of these groups reach; nothing: they reach no stack.
std::optional<reach> reach_of(const rules& by, std::string_view listed) {
  reach all;
  if (by.stacks_of_groups.empty()) return all;
  const auto groups = groups_in(listed);
  for (const group_stacks& each : by.stacks_of_groups) {
    if (each.group != "*" && std::find(groups.begin(), groups.end(), each.group) == groups.end())
      continue;
    // A pattern too many is one that is not reached.
    if (!all.add_stack(each.pattern).empty()) break;
  }
  if (all.stacks.empty()) return std::nullopt;
  return all;
}

std::optional<response> refuse(const principal& who, need wanted) {
  const auto lacks = [&](scope one) -> std::optional<response> {
    if (who.may.has(one)) return std::nullopt;
    const std::string wants{name(one)};
    auto answer = problem(403, "this request needs a token with the scope " + wants + ", which " +
                                   who.who + " lacks");
    answer.headers.push_back(
        {"WWW-Authenticate",
         "Bearer realm=\"tofud\", error=\"insufficient_scope\", scope=\"" + wants + "\""});
    return answer;
  };
  switch (wanted) {
    case need::nothing:
    case need::someone:
      return std::nullopt;
    case need::read:
      return lacks(scope::read);
    case need::ingest:
      return lacks(scope::ingest);
    case need::raw:
      return lacks(scope::raw);
    case need::whole:
      if (auto lacking = lacks(scope::read)) return lacking;
      if (!who.within) return std::nullopt;
      return problem(403, "this answer counts the runs of all stacks, and " + who.who +
                              " sees only some; ask with a token made without --stack and --label");
    case need::owner:
      if (who.is_owner) return std::nullopt;
      return problem(403,
                     "only the daemon's own user and root may do this, on the daemon's machine");
  }
  return std::nullopt;
}

}  // namespace

std::string cookie_name(std::uint16_t port) { return "tofud-" + std::to_string(port); }

std::string cookie_name(const request& asked) {
  const bool is_host_only = asked.is_secure && asked.base.empty();
  return (is_host_only ? "__Host-" : "") + cookie_name(asked.port);
}

std::string_view cookie_of(const request& asked, std::string_view name) {
  for (const auto& field : asked.headers) {
    if (field.name != "cookie") continue;
    for (std::string_view rest{field.value}; !rest.empty();) {
      const std::string_view one = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      const std::string_view pair = text::trimmed(one);
      const auto equals = pair.find('=');
      if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
        return pair.substr(equals + 1);
      }
    }
  }
  return {};
}

bool is_of_a_browser(const request& asked) {
  return asked.count("origin") > 0 || asked.count("sec-fetch-site") > 0 ||
         !cookie_of(asked, cookie_name(asked)).empty();
}

gate::gate(rules given, std::string token_file)
    : rules_{std::move(given)}, tokens_{std::move(token_file)} {
  name_hosts();
  owner_ = std::make_shared<const principal>(
      principal{principal::known_by::owner, "its own user", every_scope, true, nullptr});
  local_ = std::make_shared<const principal>(
      principal{principal::known_by::socket, "a user of the socket", every_scope, false, nullptr});
  nobody_ = std::make_shared<const principal>();
}

void gate::name_hosts() {
  names_ = {rules_.hosts, rules_.origins};
  names_.hosts.insert(names_.hosts.end(), own_hosts_.begin(), own_hosts_.end());
}

void gate::add_own_host(http::authority name) {
  if (std::find(own_hosts_.begin(), own_hosts_.end(), name) != own_hosts_.end()) return;
  own_hosts_.push_back(std::move(name));
  name_hosts();
}

void gate::follow(rules given) {
  given.base_path = rules_.base_path;
  given.local = rules_.local;
  // What another header says of them nobody has read.
  const bool other_headers = given.user_header != rules_.user_header ||
                             (given.groups_header != rules_.groups_header && !given.groups.empty());
  rules_ = std::move(given);
  name_hosts();
  const auto is_let_in = [&](const named_user& who, const reach& had) {
    return !other_headers && is_proxy(who.proxy, who.proxy_uid) &&
           is_in_a_group(rules_, who.groups) && reach_of(rules_, who.groups) == had;
  };
  if (users_.review(is_let_in, rules_.users_may)) any_over_ = true;
  tell_limited();
}

bool gate::refresh(time now) {
  users_.tidy();
  look_at_tokens(now);
  if (sessions_.refresh(now)) any_over_ = true;
  return std::exchange(any_over_, false);
}

bool gate::adopt(const std::string& hash, std::string_view text) {
  if (text.empty()) return sessions_.end_of(hash), true;
  const auto read = parse_session(text);
  if (!read) return true;
  std::shared_ptr<const std::string> permit;
  if (!read->by.token_id.empty()) {
    permit = tokens_.permit_of(read->by.token_id);
    if (!permit) return false;
  }
  sessions_.adopt(hash, *read, std::move(permit));
  return true;
}

void gate::tell_limited() {
  if (!told_limited_) return;
  told_limited_(tokens_.any_limited() || !rules_.stacks_of_groups.empty() ||
                (issued_ != nullptr && issued_->any_limited()));
}

void gate::look_at_tokens(time now) {
  if (tokens_.refresh(now)) any_over_ = true;
  tell_limited();
}

std::shared_ptr<const principal> gate::holder_of(std::string_view token, time now) {
  if (auto holder = tokens_.find(token, now)) return holder;
  // Who made it a moment ago uses it now.
  look_at_tokens(now);
  return tokens_.find(token, now);
}

bool gate::is_proxy(std::string_view address) const {
  return std::any_of(rules_.proxies.begin(), rules_.proxies.end(),
                     [&](const proxy_place& each) { return holds(each.where, address); });
}

bool gate::is_proxy(std::string_view address, std::optional<std::uint32_t> uid) const {
  return std::any_of(rules_.proxies.begin(), rules_.proxies.end(), [&](const proxy_place& each) {
    return holds(each.where, address) && (!each.uid || each.uid == uid);
  });
}

bool gate::has_passed_a_proxy(const request& asked) const {
  return std::any_of(asked.headers.begin(), asked.headers.end(), [&](const http::header& field) {
    if (field.name.starts_with("x-forwarded-")) return true;
    for (const auto* known :
         {"forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip"}) {
      if (field.name == known) return true;
    }
    return !field.name.empty() &&
           (field.name == rules_.user_header || field.name == rules_.groups_header);
  });
}

void gate::believe_proxy(request& asked) const {
  const std::string scheme = asked.joined("x-forwarded-proto");
  const std::string host = asked.joined("x-forwarded-host");
  const std::string client = asked.joined("x-forwarded-for");
  if (!scheme.empty()) asked.is_secure = http::equal_without_case(last_of(scheme), "https");
  asked.forwarded_host = last_of(host);
  if (client.empty()) return;
  asked.from.address = last_of(client);
  asked.from.uid.reset();  // that was the proxy's
}

std::optional<response> gate::take_base(request& asked) const {
  const std::string& base = rules_.base_path;
  if (base.empty()) return std::nullopt;
  // Commands come by the socket and know of no proxy; one that comes by it says where it is.
  if (asked.via == http::transport::local && !asked.path.starts_with(base + "/")) {
    return std::nullopt;
  }
  if (asked.path == base && (asked.method == "GET" || asked.is_head())) {
    response there;
    there.status = 308;
    there.content_type = "";
    there.headers.push_back(
        {"Location", base + "/" + (asked.query.empty() ? "" : "?" + asked.query)});
    return there;
  }
  if (!asked.path.starts_with(base + "/")) {
    return problem(404, "no such path; every path begins with " + base + "/");
  }
  asked.base = base;
  asked.path.erase(0, base.size());
  return std::nullopt;
}

gate::found gate::user_of(const request& asked, const http::peer& proxy) {
  if (rules_.user_header.empty() || asked.count(rules_.user_header) == 0) return {};
  if (asked.count(rules_.user_header) > 1) {
    return {nullptr, problem(400, rules_.user_header + ": it names two users")};
  }
  const std::string user{text::trimmed(asked.first(rules_.user_header))};
  if (user.empty()) return {};
  if (user.size() > limits::user_bytes) {
    return {nullptr, problem(400, rules_.user_header + ": the name is too long")};
  }
  std::string groups = rules_.groups_header.empty() ? "" : asked.joined(rules_.groups_header);
  if (!is_in_a_group(rules_, groups)) {
    return {nullptr, problem(403, user + " is in none of the allowed groups")};
  }
  auto within = reach_of(rules_, groups);
  if (!within) return {nullptr, problem(403, user + " is in no group that sees a stack")};
  return {users_.holder({proxy.address, user, std::move(groups), proxy.uid}, rules_.users_may,
                        std::move(*within)),
          std::nullopt};
}

gate::found gate::holder_issued(std::string_view token, time now) {
  auto judged = issued_->judge(token, now);
  if (judged.holder) return {std::move(judged.holder), std::nullopt};
  if (!judged.passes)
    return {nullptr, unknown("Authorization: " + judged.refusal, "invalid_token")};
  auto later = problem(503, "Authorization: " + judged.refusal);
  later.headers.push_back({"Retry-After", std::to_string(limits::issuer_asked_again.count())});
  return {nullptr, std::move(later)};
}

/// What somebody shows comes before what they are: a token that is wrong is not made up for.
gate::found gate::identify(const request& asked, const std::optional<http::peer>& proxy, time now) {
  found user;
  if (proxy) user = user_of(asked, *proxy);
  if (user.refused) return user;
  if (asked.count("authorization") > 1) return {nullptr, problem(400, "two Authorization headers")};
  if (const auto bearer = bearer_of(asked)) {
    // A proxy that logs users in may show its own token on to us.
    if (!user.who || bearer->starts_with("tofud_")) {
      if (issued_ != nullptr && issued_->any() && !bearer->starts_with("tofud_"))
        return holder_issued(*bearer, now);
      auto holder = holder_of(*bearer, now);
      if (holder) return {std::move(holder), std::nullopt};
      return {nullptr, unknown("Authorization: this token is unknown, expired or revoked; `tofud "
                               "token ls` lists the valid ones",
                               "invalid_token")};
    }
  }
  const auto cookie = cookie_of(asked, cookie_name(asked));
  if (auto holder = cookie.empty() ? nullptr : sessions_.find(cookie, now)) {
    return {std::move(holder), std::nullopt};
  }
  if (user.who) return user;
  if (has_passed_a_proxy(asked)) return {};
  if (asked.from.is_ours) return {owner_, std::nullopt};
  if (asked.from.is_admitted) return {local_, std::nullopt};
  return {};
}

std::optional<response> gate::ask(request& asked, time now) {
  std::optional<http::peer> proxy;
  if (is_proxy(asked.from.address, asked.from.uid)) {
    proxy = asked.from;
    believe_proxy(asked);
  }
  if (auto foreign = http::refuse_foreign(asked, names_)) return foreign;
  if (auto elsewhere = take_base(asked)) return elsewhere;
  if (has_token_in_url(asked)) {
    return problem(400,
                   "a token in a URL ends up in logs, so tofud ignores it; send it as "
                   "Authorization: Bearer TOKEN, and revoke this one");
  }
  if (auto answered = answer_other_page(asked)) return answered;
  if (auto refused = refuse_change(asked)) return refused;
  const need wanted = need_of(asked.method, asked.path);
  auto [who, refused] = identify(asked, proxy, now);
  asked.is_known = who != nullptr;
  if (wanted == need::nothing) {
    // Whoever it is, also somebody whose token is over: that is who logs in or out.
    asked.by = who ? who : nobody_;
    return std::nullopt;
  }
  const bool is_of_run = wanted == need::ingest && is_of_upload(asked.path);
  if (senders_ && is_of_run && (refused ? refused->status != 400 : !who)) {
    if (auto sender = senders_(asked)) {
      asked.is_known = true;
      asked.by = std::move(sender);
      return std::nullopt;
    }
  }
  if (refused) return std::move(refused);
  if (!who) {
    return unknown(
        "this request has no token; send Authorization: Bearer TOKEN (`tofud token create` makes "
        "one)");
  }
  asked.by = who;  // also of what is refused
  if (auto lacking = refuse(*who, wanted)) return lacking;
  if (who->ends_at && *who->ends_at - now < limits::token_ends_soon)
    asked.token_ends = to_text(*who->ends_at).substr(0, 19) + "Z";  // whole seconds
  // An apply lasts hours, the token of its job minutes: who began to send goes on.
  const bool goes_on = wanted == need::ingest && who->how == principal::known_by::issuer;
  if (!goes_on) asked.permit = who->permit;
  return std::nullopt;
}

}  // namespace tofud::access
