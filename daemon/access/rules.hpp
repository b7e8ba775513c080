// What an administrator says about who may ask: values, and how each is read.
#pragma once

#include "daemon/access/network.hpp"
#include "daemon/access/scopes.hpp"
#include "daemon/http/message/authority.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::access {

struct group_stacks {
  std::string group, pattern;  // see fits()
  bool operator==(const group_stacks&) const = default;
};

struct rules {
  /// Names that requests may give in `Host`, beside loopback's and the address listened on.
  std::vector<http::authority> hosts;
  /// Of other servers whose pages may ask.
  std::vector<http::origin> origins;
  /// From there X-Forwarded-Proto, -Host and -For and the two headers below are believed.
  std::vector<proxy_place> proxies;
  /// Names in lower case. Empty: no header says who somebody is. There is no usual one: a proxy
  /// that sets another header passes on what a client wrote into this one.
  std::string user_header, groups_header;
  /// A user has to be in one of them; empty: in none.
  std::vector<std::string> groups;
  /// Which stacks members of a group see and send; of several groups all of them. `*`: every user.
  /// Empty: who is let in reaches every run.
  std::vector<group_stacks> stacks_of_groups;
  /// What a user that a proxy names may do.
  scopes users_may{true, false, false};
  /// Such as `/tofud`, without a slash at its end; empty: everything is at the top.
  std::string base_path;
  /// Who may use the Unix socket: our user and root, or whoever its mode lets in. Nothing: the
  /// first for a socket of our own, the second for one that a service manager gave.
  enum class peers : std::uint8_t { owner, mode };
  std::optional<peers> local;
};

/// NAME or NAME:PORT.
text::result<http::authority> read_host(std::string_view text);
/// SCHEME://HOST or SCHEME://HOST:PORT.
text::result<http::origin> read_origin(std::string_view text);
/// A header's name; in lower case.
text::result<std::string> read_header_name(std::string_view text);
/// GROUP=PATTERN, split at the last `=`.
text::result<group_stacks> read_group_stacks(std::string_view text);
/// Begins with a slash; one at the end is dropped.
text::result<std::string> read_base_path(std::string_view text);

}  // namespace tofud::access
