// The keys of one issuer, fetched and kept up to date.
#pragma once

#include "daemon/access/token.hpp"
#include "daemon/client/http_client.hpp"
#include "daemon/net/tls_client.hpp"
#include "daemon/oidc/key_set.hpp"
#include "daemon/oidc/limits.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::oidc {

using access::time;

inline constexpr client::patience provider_patience{limits::provider_wait, limits::provider_wait,
                                                    client::patience::counts::whole,
                                                    limits::provider_answer_bytes};

/// What is to be logged.
struct provider_news {
  std::string sentence;
  bool is_trouble = false;
};

/// Asks over TLS only, by OpenID Connect Discovery; redirects are not followed. What has been
/// fetched is believed for limits::provider_keys_age, whatever happens afterwards.
class provider_keys {
 public:
  provider_keys(boost::asio::io_context& io, std::string issuer,
                std::shared_ptr<const net::tls_client> tls);

  /// To be called about twice a second: fetches them where that is due.
  void refresh(time now);
  /// A token names a key that is not among them. True if keys are on their way now; false: they
  /// were fetched a moment ago.
  bool look_for_another(time now);
  /// Fetches them again soon, whenever that was done last, and verifies the provider by `tls`.
  void renew(std::shared_ptr<const net::tls_client> tls) {
    tls_ = std::move(tls);
    asked_at_.reset();
  }

  /// Null: there are none, or they are too old to be believed.
  std::shared_ptr<const key_set> usable(time now) const;
  bool is_asking() const { return is_asking_; }
  /// Of discovery; empty until it has answered. Both are https addresses.
  struct login_endpoints {
    std::string authorization, token;
  };
  const login_endpoints& endpoints() const { return endpoints_; }
  const std::shared_ptr<const net::tls_client>& tls() const { return tls_; }
  /// Why they could not be had the last time; empty: they could, or nobody has asked.
  const std::string& trouble() const { return trouble_; }
  std::optional<time> fetched_at() const { return fetched_at_; }
  /// What is to be said about them; each thing once.
  std::vector<provider_news> take_news() { return std::exchange(news_, {}); }

 private:
  void ask(time now);
  void take_discovery(const client::answered& given);
  void take_keys(const client::answered& given);
  void fail(std::string why);

  boost::asio::io_context& io_;
  std::string issuer_;
  std::shared_ptr<const net::tls_client> tls_;
  std::unique_ptr<client::http_client> discovery_, fetching_;
  bool is_asking_ = false;
  std::optional<time> asked_at_, fetched_at_;
  std::shared_ptr<const key_set> keys_;
  std::string trouble_;
  login_endpoints endpoints_;
  std::vector<provider_news> news_;
};

}  // namespace tofud::oidc
