#include "daemon/access/errors.hpp"

namespace tofud::access {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_network,
       "'{}' is not a network; write ADDRESS/BITS such as 10.1.0.0/16, an address, or unix"},
      {error::distant_process,
       "'{}': a user after @ works only for this machine (127.0.0.1, ::1, unix)"},
      {error::no_user, "'{}': this machine has no user '{}'"},
      {error::no_host,
       "'{}' is not a host; write NAME or NAME:PORT as a browser sends it, such as "
       "tofud.example.com (names beyond ASCII as xn--…)"},
      {error::no_origin,
       "'{}' is not an origin; write https://NAME or https://NAME:PORT, without a path"},
      {error::no_header_name, "'{}' is not a header name; write one such as X-Forwarded-User"},
      {error::header_of_another_use, "'{}' cannot name a user; choose another header"},
      {error::no_base_path, "'{}' is not a base path; write /NAME with letters, digits and -_.~"},
      {error::no_scope, "'{}' is not a scope; the scopes are read, ingest and raw"},
      {error::no_stack_pattern,
       "'{}' is not a pattern for stacks; write one such as github.com/acme/net//* (* stands for "
       "any characters but /, at the end for all that follows)"},
      {error::too_many_stack_patterns, "more than {} patterns for stacks; make two tokens"},
      {error::no_label, "'{}' is not a label; write KEY=VALUE"},
      {error::no_group_stacks,
       "'{}' says of no group which stacks it sees; write GROUP=PATTERN, such as net-team=net/*"},
      {error::token_no_object, "it is not a JSON object"},
      {error::token_without_id, "it has no id"},
      {error::token_without_secret, "it has no sha256 of a secret"},
      {error::token_without_creation, "it has no created_at"},
      {error::token_bad_expiry, "its expires_at is not a time"},
      {error::token_bad_revoked, "its revoked is neither true nor false"},
      {error::token_bad_reach, "its stacks or labels can't be read: {}"},
      {error::no_lifetime, "'{}' is not a lifetime; write a number and d, h or m, such as 90d"},
      {error::writable_by_others,
       "other users can write {}, so they could make tokens; run `chmod 600` on it"},
      {error::unreadable, "{} can't be read: {}"},
      {error::unreadable_for_now, "{} can't be read: {}"},
      {error::not_written, "{} can't be written: {}"},
      {error::not_replaced, "{} can't be replaced: {}"},
      {error::not_of_owner,
       "{} can't be changed with the rights of the owner of its directory: {}"},
      {error::not_opened, "{} can't be opened: {}"},
      {error::not_locked, "{} can't be locked: {}"},
      {error::bad_lines, "{}; correct or remove that line first"},
      {error::no_such_token, "no token has that id; `tofud token ls` lists them"},
  });
  return sentences[what];
}

}  // namespace tofud::access
