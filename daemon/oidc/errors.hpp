// What can be wrong with tokens of identity providers, their keys and their rules.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::oidc {

enum class error : std::uint8_t {
  too_long,
  not_three_parts,
  bad_part,
  bad_header,
  critical,
  brings_key,
  no_algorithm,
  bad_claims,
  claim_twice,
  too_many_claims,
  other_algorithm,
  no_issuer,
  other_issuer,
  bad_signature,
  unknown_key,
  no_keys,
  keys_awaited,
  other_audience,
  no_end,
  ended,
  not_yet,
  no_subject,
  no_rule,
  no_stack,
  bad_issuer,
  bad_algorithm,
  bad_claim_pattern,
  bad_stack_template,
  any_claim,
  no_identity,
  bad_document,
  other_document,
  bad_keys_address,
  bad_key_set,
  no_usable_key,
  bad_status,
  no_provider,
  other_browser,
  login_of_another,
  login_refused,
  login_unanswered,
  login_not_allowed,
  many_logins,
  other_nonce,
  unreadable_secret,
  no_secret,
  no_openid
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::oidc
