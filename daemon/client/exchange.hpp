// One request to a daemon and its whole answer.
#pragma once

#include "daemon/client/limits.hpp"
#include "daemon/client/place.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>

namespace tofud::client {

struct answer {
  int status = 0;
  std::string body;
};

/// Asks on a connection of its own. The answer is at most limits::remote_answer_bytes long; between
/// two pieces of it at most limits::remote_wait pass. Whatever the status: an answer is no failure.
boost::system::result<answer, failure> ask(const place& to, std::string_view method,
                                           const std::string& target);

/// The head of a request without a body; `target` is below the place's base.
std::string request_text(const place& to, std::string_view method, const std::string& target);

/// What an answer that is not the one hoped for means: with the daemon's own sentence in it, if it
/// is a tofud's.
failure meaning_of(const answer& given, const place& from);

}  // namespace tofud::client
