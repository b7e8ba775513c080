// The file of tokens: a line each, for its owner only, replaced as a whole.
#pragma once

#include "daemon/access/token.hpp"

#include <boost/system/result.hpp>

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

struct token_file_failure {
  std::string sentence;
  bool may_pass = false;  // too many open files and the like: the file may be well
};

/// No file means no tokens. One that others may write is a failure.
boost::system::result<read_tokens, token_file_failure> read_token_file(const std::string& path);

/// Makes `path` hold what `change` leaves of it; nobody else changes it meanwhile. Mode 0600, its
/// owner that of the directory, so that root may do it for a daemon. Empty, or a sentence: `change`
/// returns one if nothing is to be written, as does a file with a line that would be lost.
std::string change_token_file(const std::string& path,
                              const std::function<std::string(std::vector<token>&)>& change);

}  // namespace tofud::access
