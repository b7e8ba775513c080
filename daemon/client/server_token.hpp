// What a command shows a daemon that does not know it by its user.
#pragma once

#include "daemon/client/server_address.hpp"
#include "daemon/spool/spool_place.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>

namespace tofud::client {

/// The first line of `token_file`, else `TOFUD_TOKEN`; empty: there is none. Nothing is read for a
/// Unix socket, which knows its users. The failure does not hold the token.
text::result<std::string> token_for(const server_address& server, const std::string& token_file,
                                    const spool::environment& env);

/// Whether it stays in the header that it stands in: no blanks, no control characters.
bool is_token(const std::string& text);

/// `Authorization: Bearer TOKEN`, its value.
std::string bearer(const std::string& token);

}  // namespace tofud::client
