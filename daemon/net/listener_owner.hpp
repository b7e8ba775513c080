// Who listens at a port of this machine: whoever came first, and any user may.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <optional>
#include <string>
#include <sys/types.h>

namespace tofud::net {

/// The user of the socket that listens there; nothing: the kernel does not say.
std::optional<uid_t> owner_of_listener(const boost::asio::ip::tcp::endpoint& at);

/// Why nothing is to be told to who listens at a loopback address, as half a sentence: another
/// person's process has the port. Services are nobody's (systemd.io: users from 1000 to 60000 are
/// people). Empty: there is nothing against it, or it can't be told.
std::string distrust_of_listener(const boost::asio::ip::tcp::endpoint& at);

}  // namespace tofud::net
