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
  std::string issuer;    // as it stands in the tokens
  std::string audience;  // whom they have to be for
  std::string ca_file;   // authorities that its certificate is verified by; empty: the system's
  std::vector<std::string> algorithms{"RS256", "ES256"};
  std::vector<rule> rules;
  bool operator==(const provider&) const = default;
};

/// `https://HOST[:PORT][/PATH]`, without a query; a slash at the end is kept, since tokens have it.
text::result<std::string> read_issuer(std::string_view text);
text::result<std::string> read_algorithm(std::string_view text);

/// Of GitHub Actions, whose names of repositories and owners are compared without case.
bool is_github(std::string_view issuer);

/// What a rule lets in without saying so; empty: nothing. A sentence.
std::string warning_about(const rule& by);

}  // namespace tofud::oidc
