#include "daemon/oidc/issuers.hpp"

#include "daemon/files/regular_file.hpp"
#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/limits.hpp"
#include "daemon/oidc/web_token.hpp"
#include "protocol/text/ascii.hpp"
#include "protocol/text/sha256.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::oidc {
namespace {

std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text.append(text.empty() ? "" : ", ").append(each);
  return text;
}

std::string first_of(const claims& said, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (const auto value = one(said, name)) return std::string{*value};
  return "";
}

text::failure why_not_now(const claims& said, access::time now, access::time& ends_at) {
  const auto end = time_in(said, "exp");
  if (!end) return {error::no_end};
  ends_at = *end + limits::clock_skew;
  if (ends_at <= now) return {error::ended, access::to_text(*end)};
  const auto begin = time_in(said, "nbf");
  if (begin && *begin > now + limits::clock_skew) return {error::not_yet};
  return {};
}

/// Why a rule does not let in; empty: it does.
std::string why_not(const rule& by, const claims& said, bool without_case) {
  if (const auto wrong = misfit(by, said, without_case))
    return "its claim " + wrong->claim + " is not " + wrong->pattern;
  if (!reach_of(by, said, without_case)) return "it gives this token no stack";
  return "";
}

}  // namespace

feed::verified_facts facts_in(const claims& said) {
  feed::verified_facts facts;
  facts.issuer = one(said, "iss").value_or("");
  facts.subject = one(said, "sub").value_or("");
  facts.repository = first_of(
      said, {"repository", "project_path", "oidc.circleci.com/vcs-origin", "pipeline_slug"});
  facts.ref = first_of(said, {"ref", "oidc.circleci.com/vcs-ref", "build_branch"});
  facts.actor = first_of(said, {"actor", "user_login", "preferred_username", "email"});
  return facts;
}

text::result<allowance> allowed_by(const std::vector<provider>& all, const claims& said,
                                   access::time now, comes_with with) {
  const auto issuer = one(said, "iss");
  const auto subject = one(said, "sub");
  if (!subject) return text::failure{error::no_subject};
  access::time ends_at;
  if (auto failed = why_not_now(said, now, ends_at); !failed.empty()) return failed;
  text::failure why{error::other_issuer};
  for (const provider& each : all) {
    if (each.issuer != issuer) continue;
    const std::string& audience = with == comes_with::login ? each.client_id : each.audience;
    if (audience.empty()) continue;
    if (!has(said, "aud", audience)) {
      if (why.is(error::other_issuer)) why = {error::other_audience, each.issuer, audience};
      continue;
    }
    const bool without_case = is_github(each.issuer);
    why = {error::no_rule, each.issuer, *subject};
    for (const rule& by : each.rules) {
      if (misfit(by, said, without_case)) continue;
      auto within = reach_of(by, said, without_case);
      if (!within) return text::failure{error::no_stack, by.name, *subject};
      return allowance{&by, std::move(*within), facts_in(said), ends_at};
    }
  }
  return why;
}

access::time issued_at(const claims& said) {
  for (const std::string_view name : {"nbf", "iat", "exp"})
    if (const auto at = time_in(said, name)) return *at;
  return {};
}

std::vector<std::string> explained(const std::vector<provider>& all, const claims& said) {
  std::vector<std::string> lines;
  const auto issuer = one(said, "iss");
  for (const provider& each : all) {
    if (each.issuer != issuer) continue;
    const bool is_for_us = has(said, "aud", each.audience) || has(said, "aud", each.client_id);
    for (const rule& by : each.rules) {
      const std::string why =
          is_for_us
              ? why_not(by, said, is_github(each.issuer))
              : "the token is not for " + (each.audience.empty() ? each.client_id : each.audience);
      lines.push_back(by.name + ": " + (why.empty() ? "fits" : "does not fit: " + why));
    }
  }
  return lines;
}

text::result<issuers::ready_providers> issuers::prepare(std::vector<provider> all) {
  ready_providers ready{std::move(all), {}};
  for (provider& each : ready.all) {
    if (!each.client_secret_file.empty()) {
      auto secret = files::read_regular_file(each.client_secret_file, limits::web_token_bytes);
      if (!secret) return text::failure{error::unreadable_secret, secret.error()};
      each.client_secret = text::trimmed(secret->substr(0, secret->find('\n')));
      if (each.client_secret.empty())
        return text::failure{error::no_secret, each.client_secret_file};
    }
    if (ready.tls.contains(each.issuer) && each.ca_file.empty()) continue;
    auto opened = net::tls_client::open(each.ca_file);
    if (!opened) return opened.error();
    ready.tls[each.issuer] = std::move(*opened);
  }
  return ready;
}

void issuers::follow(ready_providers given) {
  providers_ = std::move(given.all);
  std::erase_if(keys_, [&](const auto& each) { return !given.tls.contains(each.first); });
  for (auto& [issuer, tls] : given.tls) {
    auto& keys = keys_[issuer];
    if (!keys) keys = std::make_unique<provider_keys>(io_, issuer, nullptr);
    keys->renew(std::move(tls));
  }
  std::erase_if(verified_, [this](const auto& each) {
    const entry& known = each.second;
    // The end is for `refresh`.
    const auto now = issued_at(known.said);
    const auto still = allowed_by(providers_, known.said, now, known.by);
    if (still && still->by->may == known.may && still->within == known.within) return false;
    *known.over = "the access rules have changed";
    any_over_ = true;
    return true;
  });
}

bool issuers::any_limited() const {
  return std::any_of(providers_.begin(), providers_.end(), [](const provider& each) {
    return std::any_of(each.rules.begin(), each.rules.end(), [](const rule& by) {
      const bool is_everything = by.labels.empty() && std::find(by.stacks.begin(), by.stacks.end(),
                                                                "*") != by.stacks.end();
      return (by.may.read || by.may.raw) && !is_everything;
    });
  });
}

bool issuers::refresh(access::time now) {
  for (const auto& [issuer, keys] : keys_) keys->refresh(now);
  std::erase_if(verified_, [&](const auto& each) {
    if (each.second.ends_at > now) return false;
    *each.second.over = "the token has expired";
    any_over_ = true;
    return true;
  });
  return std::exchange(any_over_, false);
}

std::vector<provider_news> issuers::take_news() {
  std::vector<provider_news> all;
  for (const auto& [issuer, keys] : keys_)
    for (provider_news& each : keys->take_news()) all.push_back(std::move(each));
  return all;
}

issuers::judged issuers::refused_for_key(provider_keys& keys, const std::string& issuer,
                                         access::time now) const {
  if (keys.look_for_another(now))
    return {nullptr, text::failure{error::keys_awaited, issuer}.text(), true};
  // While it can't be asked nobody knows which keys it has now.
  if (!keys.trouble().empty())
    return {nullptr, text::failure{error::no_keys, issuer, keys.trouble()}.text(), true};
  return {nullptr, text::failure{error::unknown_key}.text(), false};
}

issuers::judged issuers::read_signed(std::string_view token, access::time now, claims& said) {
  const auto refused = [](const text::failure& why) { return judged{nullptr, why.text(), false}; };
  auto read = read_web_token(token);
  if (!read) return refused(read.error());
  const auto named = one(read->said, "iss");
  if (!named) return refused({error::no_issuer});
  const std::string issuer{*named};
  std::vector<std::string> allowed;
  for (const provider& each : providers_)
    if (each.issuer == issuer)
      allowed.insert(allowed.end(), each.algorithms.begin(), each.algorithms.end());
  const auto found = keys_.find(issuer);
  if (found == keys_.end()) return refused({error::other_issuer});
  if (std::find(allowed.begin(), allowed.end(), read->algorithm) == allowed.end())
    return refused({error::other_algorithm, listed(allowed)});
  const auto keys = found->second->usable(now);
  if (!keys) {
    if (found->second->is_asking() || found->second->trouble().empty())
      return {nullptr, text::failure{error::keys_awaited, issuer}.text(), true};
    return {nullptr, text::failure{error::no_keys, issuer, found->second->trouble()}.text(), true};
  }
  switch (keys->judge(token, *read)) {
    case key_set::verdict::wrong:
      return refused({error::bad_signature});
    case key_set::verdict::no_such_key:
      return refused_for_key(*found->second, issuer, now);
    case key_set::verdict::signed_by_one:
      break;
  }
  said = std::move(read->said);
  return {};
}

issuers::judged issuers::judge(std::string_view token, access::time now) {
  if (token.size() > limits::web_token_bytes)
    return {nullptr, text::failure{error::too_long, std::to_string(limits::web_token_bytes)}.text(),
            false};
  const std::string hash = text::sha256_hex(token);
  const auto known = verified_.find(hash);
  if (known != verified_.end() && known->second.ends_at > now)
    return {known->second.holder, "", false};
  claims said;
  if (auto refused = read_signed(token, now, said); !refused.refusal.empty()) return refused;
  const auto given = allowed_by(providers_, said, now);
  if (!given) return {nullptr, given.error().text(), false};
  return {remember(hash, std::move(said), *given, comes_with::bearer_token).holder, "", false};
}

issuers::judged issuers::judge_login(const provider& at, std::string_view token,
                                     std::string_view nonce, access::time now) {
  claims said;
  if (auto refused = read_signed(token, now, said); !refused.refusal.empty()) return refused;
  const auto refused = [](const text::failure& why) { return judged{nullptr, why.text(), false}; };
  if (one(said, "iss") != at.issuer || !has(said, "aud", at.client_id))
    return refused({error::other_audience, at.issuer, at.client_id});
  if (one(said, "nonce") != nonce) return refused({error::other_nonce});
  auto given = allowed_by(providers_, said, now, comes_with::login);
  if (!given) return refused(given.error());
  given->ends_at = now + limits::login_age;
  const std::string hash = "login " + text::sha256_hex(token);
  return {remember(hash, std::move(said), *given, comes_with::login).holder, "", false};
}

std::vector<const provider*> issuers::of_people() const {
  std::vector<const provider*> all;
  for (const provider& each : providers_)
    if (!each.client_id.empty() && all.size() < limits::login_providers) all.push_back(&each);
  return all;
}

issuers::entry& issuers::remember(const std::string& hash, claims said, const allowance& given,
                                  comes_with by) {
  // Which one goes does not matter: it is verified again.
  if (verified_.size() >= limits::verified_tokens) {
    // But what it has open must be able to end.
    const auto unused = std::find_if(verified_.begin(), verified_.end(), [](const auto& each) {
      return each.second.holder.use_count() == 1 && each.second.over.use_count() <= 2;
    });
    const auto gone = unused == verified_.end() ? verified_.begin() : unused;
    if (unused == verified_.end()) {
      *gone->second.over = "too many tokens are in use at once";
      any_over_ = true;
    }
    verified_.erase(gone);
  }
  entry made{std::move(said), given.ends_at, by,
             given.by->may,   given.within,  std::make_shared<std::string>(),
             nullptr};
  auto who = std::make_shared<access::principal>();
  who->how = access::principal::known_by::issuer;
  who->who = by == comes_with::login && !given.facts.actor.empty() ? given.facts.actor
                                                                   : given.facts.subject;
  who->may = given.by->may;
  who->permit = made.over;
  if (!given.within.is_everything())
    who->within = std::make_shared<const access::reach>(given.within);
  who->verified = std::make_shared<const feed::verified_facts>(given.facts);
  made.holder = std::move(who);
  return verified_[hash] = std::move(made);
}

}  // namespace tofud::oidc
