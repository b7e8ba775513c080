// Sockets that the service manager listens on for us; sd_listen_fds(3).
#pragma once

#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tofud::operations {

struct given_socket {
  enum class kind : std::uint8_t { local, tcp };
  int fd = -1;       // listens; close-on-exec; to be closed by who takes it
  kind what{};       // a Unix or a TCP socket
  std::string name;  // of FDNAMES; such as tofud.socket
  std::string path;  // of a Unix socket's file; empty: it has none
};

/// Takes LISTEN_FDS and what belongs to it out of the environment: they are nobody else's. A
/// sentence if something was given that is no listening stream socket. Nothing given is no failure.
text::result<std::vector<given_socket>> take_given_sockets();

}  // namespace tofud::operations
