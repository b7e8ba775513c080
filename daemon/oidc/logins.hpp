// People log in at an identity provider (OpenID Connect, authorization code with PKCE).
#pragma once

#include "daemon/net/task.hpp"
#include "daemon/oidc/issuers.hpp"
#include "protocol/text/failure.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/system/result.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::oidc {

/// Nothing is remembered here while somebody is at the provider: all that the second half needs is
/// derived from one secret, which a cookie of his browser holds.
class logins {
 public:
  /// `issuers` lives as long as this.
  logins(boost::asio::io_context& io, issuers& issuers) : io_{io}, issuers_{issuers} {}

  /// What a page offers, in the order of the configuration.
  std::vector<std::string> names() const;

  struct first_half {
    std::string location;  // at the provider
    std::string cookie;    // letters, digits and `-_.~%`
  };
  /// `which` is the place of a name in `names`; `next` is a path of ours to go on to. The failure:
  /// there is no such provider, or it has not been heard of yet.
  text::result<first_half> begin(std::size_t which, const std::string& redirect_uri,
                                 std::string_view next) const;

  /// What the provider sends the browser back with.
  struct came_back {
    std::string code, state, issuer, error;
    std::string cookie;  // of that browser
    std::string redirect_uri;
  };
  struct logged_in {
    std::shared_ptr<const access::principal> who;
    std::string next;
  };
  net::task<text::result<logged_in>> finish(came_back given);

 private:
  boost::asio::io_context& io_;
  issuers& issuers_;
  std::shared_ptr<std::size_t> under_way_ = std::make_shared<std::size_t>(0);
};

}  // namespace tofud::oidc
