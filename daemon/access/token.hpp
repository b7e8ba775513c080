// A token as it is kept: everything but its secret.
#pragma once

#include "daemon/access/reach.hpp"
#include "daemon/access/scopes.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::access {

using time = std::chrono::sys_seconds;

struct token {
  std::string id;           // 8 hexadecimal digits
  std::string name;         // for people; may be empty
  std::string secret_hash;  // SHA-256 of the secret, in hexadecimal digits
  scopes may;
  reach within;  // the runs for which it may
  time created_at;
  std::optional<time> expires_at;
  bool revoked = false;

  bool is_expired(time now) const { return expires_at && *expires_at <= now; }
  bool operator==(const token&) const = default;
};

/// What its holder has: `tofud_ID_SECRET`, the secret 64 hexadecimal digits. protocol/redact knows
/// it by its looks.
struct token_text {
  std::string id, secret;
};
std::optional<token_text> parse_token_text(std::string_view text);

/// Whether such a text stands anywhere in `text`.
bool holds_token(std::string_view text);

/// Those that may be used and end by themselves within limits::token_ends_soon, the soonest first.
std::vector<token> ending_soon(const std::vector<token>& all, time now);

struct new_token {
  token kept;
  std::string text;  // shown once
};
new_token make_token(std::string name, scopes may, time now, std::optional<time> expires_at,
                     reach within = {});

/// One JSON object, without the line's end.
std::string to_line(const token& one);
/// Unknown members are skipped; the failure says what is missing.
text::result<token> parse_token_line(std::string_view line);

/// `90d`, `12h`, `30m`.
text::result<std::chrono::seconds> parse_lifetime(std::string_view text);

/// RFC 3339, in UTC.
std::string to_text(time when);

}  // namespace tofud::access
