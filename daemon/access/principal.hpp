// Who asks, and what that allows.
#pragma once

#include "daemon/access/scopes.hpp"
#include "daemon/http/message/request.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace tofud::access {

struct principal {
  enum class known_by : std::uint8_t {
    nobody,   // what needs no permission is asked for
    owner,    // a process of our user or root's on this machine
    socket,   // the Unix socket's mode let it in
    token,    // a bearer token
    session,  // a cookie
    proxy,    // a header of a proxy that is believed
  };

  known_by how = known_by::nobody;
  std::string who;  // for people: a token's name or id, a user's name
  scopes may;
  /// May remove runs and have the index made again: no token and no proxy's user may.
  bool is_owner = false;
  /// Not empty once it is over, and why; nothing: it lasts as long as the connection.
  std::shared_ptr<const std::string> permit;
};

/// The user whose process this is: whom the local server answers, and in whose name tofud asks
/// itself.
const principal& own_user();
/// Whom the gate has found, else nobody.
const principal& asking(const http::request& asked);

}  // namespace tofud::access
