// An identity provider whose tokens a daemon takes, as an administrator sets it up.
#pragma once

#include "daemon/oidc/rule.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tofud::oidc {

/// A value. Several may have one issuer: its keys are fetched once, and the rules of all are asked
/// in their order.
struct provider {
  std::string issuer;              // as it stands in the tokens
  std::string audience;            // whom those of jobs have to be for; empty: none is taken
  std::string name;                // on the page to log in
  std::string client_id;           // by which people log in; empty: they don't
  std::string client_secret_file;  // empty: a public client
  std::string client_secret;       // what stood there
  std::string login_scopes = "openid profile email groups";  // what is asked of the provider
  std::string ca_file;  // authorities that its certificate is verified by; empty: the system's
  std::vector<std::string> algorithms{"RS256", "ES256"};
  std::vector<rule> rules;
  bool operator==(const provider&) const = default;
};

/// `https://HOST[:PORT][/PATH]`, without a query; a slash at the end is kept, since tokens have it.
text::result<std::string> read_issuer(std::string_view text);
text::result<std::string> read_algorithm(std::string_view text);

/// Of GitHub Actions, whose names of repositories and owners are compared without case.
bool is_github(std::string_view issuer);

/// "openid" and others, in one text.
text::result<std::string> read_login_scopes(std::string_view text);

/// What a rule lets in without saying so; empty: nothing. A sentence.
std::string warning_about(const rule& by);

}  // namespace tofud::oidc
