#include "daemon/oidc/errors.hpp"

namespace tofud::oidc {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::too_long, "the token is longer than {} bytes"},
      {error::not_three_parts, "the token is neither one of tofud nor a signed JSON Web Token"},
      {error::bad_part, "the token's {} is not base64url"},
      {error::bad_header, "the token's header is not a JSON object"},
      {error::critical, "the token's header demands extensions (crit), which tofud has none of"},
      {error::brings_key,
       "the token's header brings its own key ({}); keys come from the issuer only"},
      {error::no_algorithm, "the token's header names no algorithm"},
      {error::bad_claims, "the token's claims are not a JSON object"},
      {error::claim_twice, "the token has {} twice"},
      {error::too_many_claims, "the token has more than {} values"},
      {error::other_algorithm,
       "the token is signed with an algorithm that is not allowed for its "
       "issuer; the allowed ones are {}"},
      {error::no_issuer, "the token names no issuer"},
      {error::other_issuer,
       "the token is of an issuer that this daemon has no [[oidc]] section for"},
      {error::bad_signature, "the token's signature is wrong"},
      {error::unknown_key, "the token is signed with a key that its issuer does not publish"},
      {error::no_keys, "the keys of {} can't be fetched ({}); this passes when it answers again"},
      {error::keys_awaited, "the keys of {} are being fetched; ask again in a moment"},
      {error::other_audience, "the token is for another audience; ask {} for one for {}"},
      {error::no_end, "the token has no end (exp)"},
      {error::ended, "the token is over since {}"},
      {error::not_yet, "the token begins later (nbf); compare the clocks"},
      {error::no_subject, "the token names no subject (sub)"},
      {error::no_rule,
       "no [[oidc.rules]] of {} fits the token of {}; `tofud access explain "
       "--claims FILE STACK` says why"},
      {error::no_stack,
       "the rule {} gives the token of {} no stack: a claim that its stacks name is missing, or "
       "has other characters than letters, digits and ._/-"},
      {error::bad_issuer, "'{}' is not an issuer; write https://NAME, as it stands in the tokens"},
      {error::bad_algorithm,
       "'{}' is not an algorithm; use RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384 or "
       "ES512"},
      {error::bad_claim_pattern,
       "'{}' says of no claim what it has to be; write CLAIM=PATTERN, such as repository=acme/*"},
      {error::bad_stack_template,
       "'{}' is not a pattern for stacks; write one such as github.com/{}//*, with names of claims "
       "in braces"},
      {error::any_claim,
       "'{}' fits whatever the claim is; leave it out, or write what it has to be"},
      {error::no_identity,
       "the rule names no claim that says whose the token is, so any user of the issuer would be "
       "let in; add one such as repository=acme/* or sub=…, which must not begin with *"},
      {error::bad_document, "its discovery document is not a JSON object"},
      {error::other_document, "its discovery document is of another issuer"},
      {error::bad_keys_address, "its discovery document has no https address of keys (jwks_uri)"},
      {error::bad_key_set, "its keys are not a JSON Web Key Set"},
      {error::no_usable_key, "it publishes no key for signatures that tofud can use"},
      {error::bad_status, "it answers with status {}"},
      {error::no_provider, "there is no such identity provider (any more); begin again"},
      {error::other_browser,
       "this browser did not begin this login, or began it more than ten minutes ago; begin again"},
      {error::login_of_another, "the answer comes from another identity provider; begin again"},
      {error::login_refused, "the identity provider refused: {}"},
      {error::login_unanswered, "the identity provider can't be asked: {}; try again"},
      {error::login_not_allowed, "{}"},
      {error::many_logins, "too many people log in at this moment; try again"},
      {error::other_nonce, "the token was issued for another login (nonce)"},
      {error::unreadable_secret, "the client's secret can't be read: {}"},
      {error::no_secret, "the client's secret: {} has nothing in its first line"},
      {error::no_openid, "'{}' has no openid; write such as openid profile email groups"},
  });
  return sentences[what];
}

}  // namespace tofud::oidc
