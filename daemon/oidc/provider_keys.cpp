#include "daemon/oidc/provider_keys.hpp"

#include "daemon/client/web_url.hpp"
#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/limits.hpp"
#include "protocol/text/readable.hpp"

#include <boost/json/parse.hpp>

#include <utility>

namespace tofud::oidc {
namespace {

/// Its body; the failure says why there is none.
text::result<std::string> body_of(const client::answered& given, std::string& why) {
  if (!given) {
    why = given.error().sentence;
    return text::failure{error::bad_status, 0};
  }
  if (given->status != 200) {
    text::failure failed{error::bad_status, given->status};
    why = failed.text();
    return failed;
  }
  return given->body;
}

}  // namespace

provider_keys::provider_keys(boost::asio::io_context& io, std::string issuer,
                             std::shared_ptr<const net::tls_client> tls)
    : io_{io}, issuer_{std::move(issuer)}, tls_{std::move(tls)} {}

void provider_keys::refresh(time now) {
  if (is_asking_) return;
  const bool is_fresh = fetched_at_ && now - *fetched_at_ < limits::provider_keys_again;
  if (is_fresh && asked_at_) return;
  const auto again = usable(now) ? limits::provider_asked_every : limits::provider_asked_first;
  if (asked_at_ && now - *asked_at_ < again) return;
  ask(now);
}

bool provider_keys::look_for_another(time now) {
  if (is_asking_) return true;
  if (asked_at_ && now - *asked_at_ < limits::provider_asked_every) return false;
  ask(now);
  return true;
}

std::shared_ptr<const key_set> provider_keys::usable(time now) const {
  return fetched_at_ && now - *fetched_at_ < limits::provider_keys_age ? keys_ : nullptr;
}

void provider_keys::ask(time now) {
  is_asking_ = true;
  asked_at_ = now;
  std::string root = issuer_;
  if (root.ends_with('/')) root.pop_back();
  const auto to = client::parse_web_url(root + "/.well-known/openid-configuration", tls_);
  // A client of the time before is at rest: nobody is within it.
  discovery_ = std::make_unique<client::http_client>(io_, to->at, provider_patience);
  discovery_->exchange({"GET", to->target},
                       [this](const client::answered& given) { take_discovery(given); });
}

void provider_keys::take_discovery(const client::answered& given) {
  std::string why;
  const auto body = body_of(given, why);
  if (!body) return fail(std::move(why));
  boost::system::error_code failed;
  const auto document = boost::json::parse(*body, failed);
  const auto* object = failed ? nullptr : document.if_object();
  if (object == nullptr) return fail(text::failure{error::bad_document}.text());
  const auto* issuer = object->if_contains("issuer");
  if (issuer == nullptr || *issuer != boost::json::string_view{issuer_})
    return fail(text::failure{error::other_document}.text());
  const auto* uri = object->if_contains("jwks_uri");
  const auto to = uri != nullptr && uri->is_string()
                      ? client::parse_web_url(std::string_view{uri->get_string()}, tls_)
                      : std::nullopt;
  if (!to) return fail(text::failure{error::bad_keys_address}.text());
  const auto endpoint = [&](std::string_view name) -> std::string {
    const auto* found = object->if_contains(name);
    if (found == nullptr || !found->is_string()) return "";
    const std::string_view text{found->get_string()};
    return client::parse_web_url(text, tls_) ? std::string{text} : "";
  };
  endpoints_ = {endpoint("authorization_endpoint"), endpoint("token_endpoint")};
  fetching_ = std::make_unique<client::http_client>(io_, to->at, provider_patience);
  fetching_->exchange({"GET", to->target},
                      [this](const client::answered& answer) { take_keys(answer); });
}

void provider_keys::take_keys(const client::answered& given) {
  std::string why;
  const auto body = body_of(given, why);
  if (!body) return fail(std::move(why));
  auto read = key_set::read(*body);
  if (!read) return fail(read.error().text());
  is_asking_ = false;
  const bool is_news = !keys_ || !trouble_.empty();
  keys_ = std::make_shared<const key_set>(std::move(*read));
  fetched_at_ = asked_at_;
  trouble_.clear();
  if (is_news)
    news_.push_back({"fetched " + std::to_string(keys_->size()) + " keys of " + issuer_});
}

void provider_keys::fail(std::string why) {
  is_asking_ = false;
  why = text::readable_line(why);
  if (std::exchange(trouble_, why) == why) return;
  news_.push_back({"can't fetch the keys of " + issuer_ + ": " + why +
                       (keys_ ? "; those that were fetched before are good for a day" : ""),
                   true});
}

}  // namespace tofud::oidc
