// One request to a daemon and its whole answer, for who has nothing else to do.
#pragma once

#include "daemon/client/http_client.hpp"
#include "daemon/client/place.hpp"

#include <string>
#include <string_view>

namespace tofud::client {

/// Asks on a connection of its own, and waits as `patience` says. Whatever the status: an answer is
/// no failure.
answered ask(const place& to, std::string_view method, const std::string& target);
answered ask(const place& to, request asked, patience waits = {});

/// What an answer that is not the one hoped for means: with the daemon's own sentence in it, if it
/// is a tofud's.
failure meaning_of(const response& given, const place& from);

}  // namespace tofud::client
