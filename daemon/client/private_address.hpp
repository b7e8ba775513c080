// Addresses that are no place on the internet.
#pragma once

#include <boost/asio/ip/address.hpp>

namespace tofud::client {

/// Of this machine, of a private or local network, of none (multicast, documentation, reserved):
/// what a service of a company's inside may have (RFC 6890). Addresses of version 4 within ones of
/// version 6 count as themselves.
bool is_private(const boost::asio::ip::address& address);

}  // namespace tofud::client
