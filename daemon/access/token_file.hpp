// The file of tokens: a line each, for its owner only, replaced as a whole.
#pragma once

#include "daemon/access/token.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tofud::access {

/// `tokens` in the directory of a daemon's history.
std::string token_file_in(const std::string& directory);

struct read_tokens {
  std::vector<token> all;
  std::vector<std::string> refused;  // lines that are no tokens, a sentence each
};

/// No file means no tokens. Errors: writable_by_others; unreadable; unreadable_for_now (too many
/// open files and the like: the file may be well).
text::result<read_tokens> read_token_file(const std::string& path);

/// Makes `path` hold what `change` leaves of it; nobody else changes it meanwhile. Mode 0600, its
/// owner that of the directory, so that root may do it for a daemon. `change` returns a
/// failure if nothing is to be written; a file with a line that would be lost is one.
text::failure change_token_file(const std::string& path,
                                const std::function<text::failure(std::vector<token>&)>& change);

}  // namespace tofud::access
