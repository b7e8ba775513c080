// When tokens were used last: in a file beside theirs, which the daemon alone writes.
#pragma once

#include "daemon/access/token.hpp"

#include <map>
#include <string>

namespace tofud::access {

using token_uses = std::map<std::string, time, std::less<>>;  // by the tokens' ids

/// `tokens.used` beside `tokens`.
std::string use_file_of(const std::string& token_file);

/// Empty where it can't be read: what is in it is a help, and nothing depends on it.
token_uses read_token_uses(const std::string& path);
/// Replaces it as a whole, 0600. False: it can't be written, and is as it was.
bool write_token_uses(const std::string& path, const token_uses& uses);

}  // namespace tofud::access
