// Where the tokens of this machine's daemon are, and how they are shown.
#pragma once

#include "daemon/access/token.hpp"

#include <string>

namespace tofud::cli {

/// As `tofud serve` finds it; its directory is made if need be. For root, who names none, that of
/// the service. Empty: there is none, and that is said.
std::string token_file_for(std::string state_dir);
/// The same of a directory that is there, without making or saying anything; empty: none is.
std::string known_token_file(const std::string& state_dir);

/// Where this machine's daemon stores, such as /var/lib/tofud/daemon; empty: nowhere that this user
/// may look.
std::string known_daemon_directory(const std::string& state_dir);

access::time time_now();
/// "2026-11-26T13:04Z"
std::string minute_of(access::time when);
/// "until 2026-11-26T13:04Z", "for ever", "expired", "revoked".
std::string state_of(const access::token& one, access::time now);

}  // namespace tofud::cli
