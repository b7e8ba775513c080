// A signed JSON Web Token (RFC 7519) as it comes in a request.
#pragma once

#include "daemon/oidc/claims.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::oidc {

/// Read, and not believed: key_set says who signed it.
struct web_token {
  std::string algorithm;  // "RS256"
  std::string key_id;     // empty: it names none
  claims said;
};

/// Of RFC 4648, 5, without padding: some bytes. cjose takes for granted that what it decodes is,
/// and ends the process where it is not.
bool is_base64url(std::string_view text);

/// Whether it has the form of one; tokens of tofud have not.
bool looks_like_web_token(std::string_view text);

/// Strict: of the compact form of RFC 7515, with a header that neither brings a key nor demands
/// extensions, and without members that are there twice.
text::result<web_token> read_web_token(std::string_view text);

/// The algorithms that may be allowed for an issuer: all are of public keys.
bool is_algorithm(std::string_view name);

/// Seconds since 1970 of a claim such as "exp"; nothing: there is none, or it is no time.
std::optional<std::chrono::sys_seconds> time_in(const claims& of, std::string_view name);

}  // namespace tofud::oidc
