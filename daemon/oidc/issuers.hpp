// The identity providers whose tokens a daemon takes.
#pragma once

#include "daemon/access/issued_tokens.hpp"
#include "daemon/oidc/provider.hpp"
#include "daemon/oidc/provider_keys.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/system/result.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::oidc {

/// What a token that was signed by its issuer gives.
struct allowance {
  const rule* by = nullptr;  // of the providers that were asked
  access::reach within;
  feed::verified_facts facts;
  access::time ends_at;
};

/// What somebody comes with.
enum class comes_with : std::uint8_t {
  bearer_token,  // for the audience
  login          // for the client
};

/// The rules of those with that issuer, in their order. Pure.
text::result<allowance> allowed_by(const std::vector<provider>& all, const claims& said,
                                   access::time now, comes_with by = comes_with::bearer_token);

/// When the token began, so that it can be judged as of then; of one that does not say, just before
/// its end.
access::time issued_at(const claims& said);

/// For people: each rule of that issuer, and why it fits or does not.
std::vector<std::string> explained(const std::vector<provider>& all, const claims& said);

/// What is known of a holder by the claims that GitHub, GitLab, Buildkite, CircleCI and others use.
feed::verified_facts facts_in(const claims& said);

class issuers final : public access::issued_tokens {
 public:
  explicit issuers(boost::asio::io_context& io) : io_{io} {}

  /// Providers with what their files hold.
  struct ready_providers {
    std::vector<provider> all;
    std::map<std::string, std::shared_ptr<const net::tls_client>> tls;  // by issuer
  };
  static text::result<ready_providers> prepare(std::vector<provider> all);
  /// Asks by these from now on, and for the keys of all of them again. What holders have open whom
  /// these would not let in as before ends with the next `refresh`.
  void follow(ready_providers given);

  judged judge(std::string_view token, access::time now) override;
  /// The same of the ID token that `at` gave for a login that it was asked for with that nonce.
  /// What it allows lasts for limits::login_age.
  judged judge_login(const provider& at, std::string_view token, std::string_view nonce,
                     access::time now);
  /// Where people may log in, limits::login_providers at most; valid until `follow`.
  std::vector<const provider*> of_people() const;
  bool any() const override { return !providers_.empty(); }
  bool any_limited() const override;

  /// To be called about twice a second. True if permits have ended since the last call.
  bool refresh(access::time now);
  /// What is to be logged; each thing once.
  std::vector<provider_news> take_news();
  const std::map<std::string, std::unique_ptr<provider_keys>>& keys() const { return keys_; }

 private:
  struct entry {
    claims said;
    access::time ends_at;
    comes_with by = comes_with::bearer_token;
    access::scopes may;
    access::reach within;
    std::shared_ptr<std::string> over;
    std::shared_ptr<const access::principal> holder;
  };
  judged refused_for_key(provider_keys& keys, const std::string& issuer, access::time now) const;
  /// The claims of one that is signed by its issuer; else the refusal.
  judged read_signed(std::string_view token, access::time now, claims& said);
  entry& remember(const std::string& hash, claims said, const allowance& given, comes_with by);

  boost::asio::io_context& io_;
  std::vector<provider> providers_;
  std::map<std::string, std::unique_ptr<provider_keys>> keys_;  // by issuer
  std::map<std::string, entry, std::less<>> verified_;          // by a token's hash
  bool any_over_ = false;
};

}  // namespace tofud::oidc
