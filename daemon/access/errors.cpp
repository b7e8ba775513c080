#include "daemon/access/errors.hpp"

namespace tofud::access {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_network,
       "'{}' is no network: it is ADDRESS/BITS such as 10.1.0.0/16, an address, or unix"},
      {error::distant_process,
       "'{}': whose process it is, is known on this machine only (127.0.0.1, ::1, unix)"},
      {error::no_user, "'{}': this machine has no user '{}'"},
      {error::no_host,
       "'{}' is no host: it is NAME or NAME:PORT as a browser sends it, such as tofud.example.com; "
       "names beyond ASCII are written as xn--…"},
      {error::no_origin,
       "'{}' is no origin: it is https://NAME or https://NAME:PORT, without a path"},
      {error::no_header_name, "'{}' is no header's name, such as X-Forwarded-User"},
      {error::header_of_another_use, "'{}' can't say who somebody is"},
      {error::no_base_path,
       "'{}' is no path to serve at: it is /NAME, of letters, digits and -_.~"},
      {error::no_scope, "'{}' is no scope: they are read, ingest and raw"},
      {error::token_no_object, "it is no JSON object"},
      {error::token_without_id, "it has no id"},
      {error::token_without_secret, "it has no sha256 of a secret"},
      {error::token_without_creation, "it has no created_at"},
      {error::token_bad_expiry, "its expires_at is no time"},
      {error::token_bad_revoked, "its revoked is neither true nor false"},
      {error::no_lifetime, "'{}' is no lifetime: it is a number and d, h or m, such as 90d"},
      {error::writable_by_others,
       "others may write {}, and so make tokens; `chmod 600` keeps it to its owner"},
      {error::unreadable, "{} can't be read: {}"},
      {error::unreadable_for_now, "{} can't be read: {}"},
      {error::not_written, "{} can't be written: {}"},
      {error::not_replaced, "{} can't be replaced: {}"},
      {error::not_of_owner, "{} can't be changed as the owner of its directory: {}"},
      {error::not_opened, "{} can't be opened: {}"},
      {error::not_locked, "{} can't be locked: {}"},
      {error::bad_lines, "{}; mend or remove that line first"},
      {error::no_such_token, "there is no token of that id; `tofud token ls` lists them"},
  });
  return sentences[what];
}

}  // namespace tofud::access
